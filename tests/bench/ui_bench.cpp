// SPDX-License-Identifier: GPL-3.0-or-later
// How long a person waits for the first picture of a graph, and how smooth panning and zooming are. Paints into the
// offscreen platform's backing store, on one core like everything on the UI thread.
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdio>

#include "core/import/importer.h"
#include "core/zoo/zoo.h"
#include "tests/gui/timeline_session.h"
#include "ui/graph/graph_view.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

namespace hs::bench {
namespace {

constexpr int kFrames = 200;

double residentMiB() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    return file.readAll().split(' ').value(1).toDouble() * 4096 / (1 << 20);
}

struct Frames {
    double medianMs = 0, worstMs = 0;
    QJsonObject json() const {
        return {{"median_ms", medianMs}, {"worst_ms", worstMs}, {"fps_median", 1000 / std::max(medianMs, 1e-3)}, {"fps_worst", 1000 / std::max(worstMs, 1e-3)}};
    }
};

template <class Step>
Frames frames(QWidget& widget, Step step) {
    std::vector<double> ms;
    for (int i = 0; i < kFrames; ++i) {
        QElapsedTimer timer;
        timer.start();
        step(i);
        widget.repaint();
        ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(ms.begin(), ms.end());
    return {ms[ms.size() / 2], ms.back()};
}

void print(const char* name, const Frames& f) {
    std::printf("    %-22s median %6.2f ms (%5.0f fps)   worst %6.2f ms (%4.0f fps)\n", name, f.medianMs, 1000 / std::max(f.medianMs, 1e-3), f.worstMs,
                1000 / std::max(f.worstMs, 1e-3));
}

/// Pans in a small circle, so that every frame uncovers new pixels on two sides.
Frames pan(ui::GraphView& view) {
    static constexpr std::array kKeys = {Qt::Key_Right, Qt::Key_Down, Qt::Key_Down, Qt::Key_Left, Qt::Key_Left, Qt::Key_Up, Qt::Key_Up, Qt::Key_Right};
    return frames(view, [&](int i) {
        QTest::keyClick(&view, kKeys[static_cast<std::size_t>(i) % kKeys.size()]);
        QTest::keyClick(&view, kKeys[static_cast<std::size_t>(i + 2) % kKeys.size()]);
    });
}

QJsonObject graph(const QString& name, const QString& folder, const QString& shots) {
    QJsonObject out{{"model", name}};
    const QString path = folder + "/" + name + ".onnx";
    {
        auto model = buildZooModel(name.toStdString());
        if (!model || !exportModel(**model, path.toStdString())) {
            std::printf("%s: cannot be built\n", qPrintable(name));
            return out;
        }
    }
    ui::Theme theme;
    ui::Selection selection;
    ui::GraphView view(&selection, &theme);
    view.resize(1600, 900);
    view.show();
    QCoreApplication::processEvents();
    const double before = residentMiB();
    QElapsedTimer timer;
    timer.start();
    const auto model = importModel(path.toStdString());
    const double importMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    if (!model) return out;
    view.setModel(*model, nullptr);
    while (view.scene() == nullptr)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    view.repaint();
    const double firstMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    (void)QTest::qWaitFor([&] { return view.laidOut(); }, 60'000);
    view.repaint();
    const double finalMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    std::printf("%s: %zu nodes, import %.0f ms, first picture %.0f ms, final layout %.0f ms, +%.0f MiB\n", qPrintable(name), (*model)->nodes().size(), importMs,
                firstMs, finalMs, residentMiB() - before);
    out["nodes"] = static_cast<qint64>((*model)->nodes().size());
    out["import_ms"] = importMs;
    out["first_picture_ms"] = firstMs;
    out["final_layout_ms"] = finalMs;
    out["memory_mib"] = residentMiB() - before;
    const auto shot = [&](const char* what) {
        if (!shots.isEmpty()) view.grab().save(shots + "/" + name + "-" + what + ".png");
    };
    shot("first");
    const NodeId middle((*model)->nodes().size() / 2);
    for (const auto& [label, scale] : {std::pair("fit", 0.0), std::pair("blocks", 0.1), std::pair("labels", 0.25), std::pair("cards", 0.8)}) {
        view.fit();
        if (scale > 0) {
            view.revealNode(middle);
            view.zoomBy(scale / view.camera().scale());
        }
        view.repaint();
        const Frames panned = pan(view), zoomed = frames(view, [&](int i) { view.zoomBy(i % 2 == 0 ? 1.02 : 1 / 1.02); });
        print((std::string("pan ") + label).c_str(), panned);
        print((std::string("zoom ") + label).c_str(), zoomed);
        out[QString("pan_") + label] = panned.json();
        out[QString("zoom_") + label] = zoomed.json();
        shot(label);
    }
    return out;
}

QJsonObject timeline(const QString& folder, const QString& shots) {
    QJsonObject out;
    const auto model = buildZooModel("resnet50");
    if (!model) return out;
    const QString path = folder + "/timeline.hscope";
    constexpr int kIterations = 600;
    {
        test::SyntheticRun run(**model, path.toStdString());
        for (int i = 0; i < kIterations; i += 100) {
            run.iterations(i, 100);
            QTest::qWait(150);  // the writer drains the ring
        }
        run.finish();
    }
    ui::Theme theme;
    ui::Selection selection;
    ui::TimelineView view(&selection, &theme);
    view.resize(1600, 500);
    view.show();
    QElapsedTimer timer;
    timer.start();
    view.setSession(path, 1);
    (void)QTest::qWaitFor([&] { return view.loaded(); }, 30'000);
    view.repaint();
    out["first_picture_ms"] = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    out["spans"] = static_cast<qint64>((*model)->nodes().size()) * kIterations;
    std::printf("timeline: %lld spans, first picture %.0f ms\n", static_cast<long long>(out["spans"].toInteger()), out["first_picture_ms"].toDouble());
    for (const auto& [label, zooms] : {std::pair("whole", 0), std::pair("iterations", 10), std::pair("spans", 16)}) {
        view.fit();
        for (int i = 0; i < zooms; ++i)
            QTest::keyClick(view.canvas(), Qt::Key_W);
        QTest::qWait(400);
        const Frames panned = frames(*view.canvas(), [&](int i) { QTest::keyClick(view.canvas(), i % 2 == 0 ? Qt::Key_D : Qt::Key_A); });
        print((std::string("pan ") + label).c_str(), panned);
        out[QString("pan_") + label] = panned.json();
        QTest::qWait(200);
        if (!shots.isEmpty()) view.grab().save(shots + "/timeline-" + label + ".png");
    }
    if (!shots.isEmpty()) {
        theme.setMode(ui::Theme::Mode::Dark);
        selection.select(NodeId(4));
        selection.setTimeRange(std::pair<qint64, qint64>(view.canvas()->picture().viewport.fromNs() + 1e6, view.canvas()->picture().viewport.fromNs() + 4e6));
        QTest::qWait(500);
        view.grab().save(shots + "/timeline-range.png");
    }
    return out;
}

}  // namespace
}  // namespace hs::bench

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOption({"json", "Write the figures to FILE.", "FILE"});
    parser.addOption({"shots", "Save a picture of every zoom level into DIR.", "DIR"});
    parser.addOption({"models", "Zoo models to open, separated by commas.", "NAMES", "resnet50,wide-10k,wide-50k"});
    parser.process(app);
    const QString shots = parser.value("shots");
    if (!shots.isEmpty()) QDir().mkpath(shots);
    const QTemporaryDir folder;
    QJsonArray graphs;
    for (const QString& name : parser.value("models").split(',', Qt::SkipEmptyParts))
        graphs.append(hs::bench::graph(name, folder.path(), shots));
    const QJsonObject all{{"graphs", graphs}, {"timeline", hs::bench::timeline(folder.path(), shots)}};
    if (!parser.isSet("json")) return 0;
    QDir().mkpath(QFileInfo(parser.value("json")).absolutePath());
    QFile file(parser.value("json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(all).toJson()) < 0) {
        std::fprintf(stderr, "%s: %s\n", qPrintable(file.fileName()), qPrintable(file.errorString()));
        return 2;
    }
    return 0;
}
