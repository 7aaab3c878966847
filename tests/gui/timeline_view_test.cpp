// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <gtest/gtest.h>

#include "tests/gui/graph_models.h"
#include "tests/gui/timeline_session.h"
#include "ui/timeline/timeline_canvas.h"

namespace hs::ui {
namespace {

class TimelineViewTest : public testing::Test {
protected:
    void SetUp() override {
        m_view.resize(1100, 420);
        m_view.show();
    }
    QString path() const { return m_dir.filePath("run.hscope"); }
    void open(int iterations) {
        m_run = std::make_unique<test::SyntheticRun>(*m_model, path().toStdString());
        m_run->iterations(0, iterations);
        m_run->finish();
        m_view.setModel(m_model);
        m_view.setSession(path(), 1);
        ASSERT_TRUE(QTest::qWaitFor([&] { return m_view.loaded() && (pic().window->summarised || !pic().window->spans.empty()); }, 10'000));
    }
    TimelineCanvas& canvas() { return *m_view.canvas(); }
    const TimelinePicture& pic() { return m_view.canvas()->picture(); }
    const TimelineRow& row(const char* name) {
        for (const TimelineRow& r : pic().rows)
            if (r.name == name) return r;
        throw std::runtime_error(std::string("no row ") + name);
    }
    /// A point on the row of a track at a time of the run.
    QPoint at(const char* track, double ns) {
        const TimelineRow& r = row(track);
        return {qRound(TimelinePicture::kNames + pic().viewport.toX(ns)),
                qRound(pic().rulerHeight() + r.y - pic().scroll + pic().metrics.gap + pic().metrics.level / 2)};
    }
    bool settled() {
        return QTest::qWaitFor(
            [&] {
                return pic().window && static_cast<double>(pic().window->fromNs) <= pic().viewport.fromNs() &&
                       static_cast<double>(pic().window->toNs) >= pic().viewport.toNs();
            },
            5000);
    }

    QTemporaryDir m_dir;
    ModelPtr m_model = test::residualModel(4);
    std::unique_ptr<test::SyntheticRun> m_run;
    Theme m_theme;
    Selection m_selection;
    TimelineView m_view{&m_selection, &m_theme};
};

TEST_F(TimelineViewTest, ShowsTracksByDeviceAndIterations) {
    open(10);
    EXPECT_EQ(row("cpu").kind, RowKind::Group);
    EXPECT_EQ(row("opencl:0").kind, RowKind::Group);
    EXPECT_EQ(row("resident memory").kind, RowKind::Counter);
    EXPECT_THROW(row("iterations"), std::runtime_error);  // bands, not a row
    ASSERT_EQ(pic().meta->iterations.size(), 10U);
    EXPECT_NEAR(static_cast<double>(pic().meta->iterations[3].startNs), 30e6, 1e4);
}

TEST_F(TimelineViewTest, ClickingASpanSelectsItsNode) {
    open(10);
    const double middle = (2.5 * m_run->stepNs()) + 3e7;
    QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, at("runner", middle));
    EXPECT_LT(pic().viewport.spanNs(), 2.0 * m_run->stepNs());
    ASSERT_TRUE(settled());
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, at("runner", middle));
    EXPECT_EQ(m_selection.nodes(), QSet<quint32>{2});
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, at("runner", middle).x() > 0 ? QPoint(600, 8) : QPoint());
    EXPECT_TRUE(m_selection.nodes().isEmpty());
}

TEST_F(TimelineViewTest, SelectingANodeElsewhereHighlightsAndRevealsIt) {
    open(10);
    QTest::keyClick(&canvas(), Qt::Key_F);
    for (int i = 0; i < 8; ++i)
        QTest::keyClick(&canvas(), Qt::Key_W);
    ASSERT_TRUE(settled());
    canvas().clearFocus();
    m_selection.select(NodeId(0));
    EXPECT_EQ(pic().selectedSteps.size(), 1);
    const bool visible = QTest::qWaitFor(
        [&] {
            for (int i = 0; i < 10; ++i)
                if (const double start = i * 1e7; start >= pic().viewport.fromNs() - 1e4 && start + m_run->stepNs() - 1000 <= pic().viewport.toNs() + 1e4)
                    return true;
            return false;
        },
        5000);
    EXPECT_TRUE(visible);
}

TEST_F(TimelineViewTest, DraggingMeasuresARange) {
    open(10);
    QSignalSpy measured(&m_view, &TimelineView::rangeMeasured);
    const QPoint from = at("runner", 2e7 - 2e5), to = at("runner", 3e7 - 2e5);
    QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
    QTest::mouseMove(&canvas(), (from + to) / 2);
    QTest::mouseMove(&canvas(), to);
    QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to);
    ASSERT_TRUE(m_selection.timeRange());
    EXPECT_NEAR(static_cast<double>(m_selection.timeRange()->first), 2e7 - 2e5, 3 * pic().viewport.nsPerPixel());
    ASSERT_TRUE(measured.count() > 0 || measured.wait(5000));
    QTest::keyClick(&canvas(), Qt::Key_Escape);
    EXPECT_FALSE(m_selection.timeRange());
}

TEST_F(TimelineViewTest, KeysAndWheelZoomAroundTheCursor) {
    open(10);
    const QPoint mouse = at("runner", 4.2e7);
    QTest::mouseMove(&canvas(), mouse);
    const double before = pic().viewport.toNsAt(mouse.x() - TimelinePicture::kNames), span = pic().viewport.spanNs();
    QTest::keyClick(&canvas(), Qt::Key_W);
    EXPECT_NEAR(pic().viewport.spanNs(), span / 1.5, span * 0.01);
    EXPECT_NEAR(pic().viewport.toNsAt(mouse.x() - TimelinePicture::kNames), before, 2 * pic().viewport.nsPerPixel());
    QWheelEvent wheel(QPointF(mouse), canvas().mapToGlobal(QPointF(mouse)), {}, {0, 480}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas(), &wheel);
    EXPECT_LT(pic().viewport.spanNs(), span / 2.5);
    EXPECT_NEAR(pic().viewport.toNsAt(mouse.x() - TimelinePicture::kNames), before, 2 * pic().viewport.nsPerPixel());
    const double from = pic().viewport.fromNs();
    QTest::keyClick(&canvas(), Qt::Key_D);
    EXPECT_GT(pic().viewport.fromNs(), from);
    QTest::keyClick(&canvas(), Qt::Key_F);
    EXPECT_NEAR(pic().viewport.spanNs(), span, span * 0.01);
}

TEST_F(TimelineViewTest, AHeadingFoldsIntoAStripThatShowsItsLoad) {
    open(10);
    const TimelineRow& heading = row("cpu");
    const QPoint where(60, qRound(pic().rulerHeight() + heading.y + heading.height / 2));
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, where);
    EXPECT_TRUE(row("cpu").folded);
    EXPECT_THROW(row("runner"), std::runtime_error);
    QTest::mouseMove(&canvas(), {5, 5});
    const QPoint busy(qRound(TimelinePicture::kNames + pic().viewport.toX(1.5e7)), qRound(pic().rulerHeight() + row("cpu").y + row("cpu").height - 6));
    EXPECT_EQ(canvas().grab().toImage().pixelColor(busy), m_theme.deviceColor(0));
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, where);
    EXPECT_FALSE(row("cpu").folded);
}

TEST_F(TimelineViewTest, GapsStayEmpty) {
    open(10);
    canvas().setFolded(kHostGroup, true);
    QTest::mouseMove(&canvas(), {5, 5});
    const QImage image = canvas().grab().toImage();
    // Between the end of one iteration's last step (9 ms) and the next start nothing runs.
    EXPECT_EQ(image.pixelColor(at("runner", 3.95e7)), m_theme.color(Token::Surface));
    EXPECT_NE(image.pixelColor(at("runner", 3.5e7)), m_theme.color(Token::Surface));
}

TEST_F(TimelineViewTest, AGrowingRunIsFollowedUntilSomeoneLooksElsewhere) {
    test::SyntheticRun run(*m_model, path().toStdString());
    run.iterations(0, 5);
    m_view.setSession(path(), 1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_view.loaded() && pic().meta->lastNs > 45'000'000; }, 10'000));
    EXPECT_TRUE(pic().meta->running());
    run.iterations(5, 5);
    ASSERT_TRUE(QTest::qWaitFor([&] { return pic().meta->lastNs > 95'000'000; }, 10'000));
    EXPECT_GT(pic().viewport.toNs(), 95e6);
    canvas().setFocus();
    QTest::keyClick(&canvas(), Qt::Key_W);
    QTest::keyClick(&canvas(), Qt::Key_A);
    EXPECT_FALSE(canvas().following());
    const double from = pic().viewport.fromNs();
    run.iterations(10, 5);
    ASSERT_TRUE(QTest::qWaitFor([&] { return pic().meta->lastNs > 145'000'000; }, 10'000));
    EXPECT_DOUBLE_EQ(pic().viewport.fromNs(), from);
    run.finish();
    ASSERT_TRUE(QTest::qWaitFor([&] { return pic().meta->status == "finished"; }, 10'000));
}

TEST_F(TimelineViewTest, ManySpansComeAsSummariesAndAsSpansFurtherIn) {
    open(800);  // 800 iterations of two dozen steps: more than are drawn one by one
    m_view.fit();
    ASSERT_TRUE(QTest::qWaitFor([&] { return pic().window && pic().window->summarised; }, 10'000));
    QTest::mouseMove(&canvas(), at("runner", 4e9));
    for (int i = 0; i < 14; ++i)
        QTest::keyClick(&canvas(), Qt::Key_W);
    ASSERT_TRUE(QTest::qWaitFor([&] { return pic().window && !pic().window->summarised; }, 10'000));
    EXPECT_FALSE(pic().window->spans.empty());
}

TEST_F(TimelineViewTest, WithoutASessionItSaysWhatToDo) {
    m_view.setSession({}, -1);
    EXPECT_FALSE(m_view.grab().isNull());
    for (const auto key : {Qt::Key_W, Qt::Key_F, Qt::Key_Escape})
        QTest::keyClick(&canvas(), key);
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, {300, 50});
    EXPECT_FALSE(m_selection.timeRange());
}

TEST_F(TimelineViewTest, AFileThatIsNoSessionIsReported) {
    QFile file(path());
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("not a database, but long enough to be looked at as if it were one");
    file.close();
    QSignalSpy failed(&m_view, &TimelineView::failed);
    m_view.setSession(path(), 1);
    EXPECT_TRUE(failed.count() > 0 || failed.wait(5000));
}

}  // namespace
}  // namespace hs::ui
