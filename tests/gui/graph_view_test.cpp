// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_view.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <gtest/gtest.h>

#include "tests/gui/graph_models.h"

namespace hs::ui {
namespace {

class GraphViewTest : public testing::Test {
protected:
    void open(const ModelPtr& model) {
        m_model = model;
        m_view.resize(800, 600);
        m_view.show();
        m_view.setModel(model, nullptr);
        ASSERT_TRUE(QTest::qWaitFor([&] { return m_view.laidOut(); }, 20'000));
    }
    NodeId node(const char* name) const { return m_model->findNode(name); }
    const SceneItem& item(NodeId id) const { return m_view.scene()->items[m_view.scene()->itemOfNode[id.index()]]; }
    QPoint at(NodeId id) const {
        const Vec2 p = m_view.camera().toScreen(item(id).box.center());
        return {qRound(p.x), qRound(p.y)};
    }
    void click(NodeId id, Qt::KeyboardModifiers modifiers = {}) { QTest::mouseClick(&m_view, Qt::LeftButton, modifiers, at(id)); }

    ModelPtr m_model;
    Theme m_theme;
    Selection m_selection;
    GraphView m_view{&m_selection, &m_theme};
};

TEST_F(GraphViewTest, ClickSelectsAndControlClickAdds) {
    open(test::residualModel(2));
    click(node("conv1"));
    EXPECT_EQ(m_selection.current(), node("conv1"));
    click(node("fc"), Qt::ControlModifier);
    EXPECT_EQ(m_selection.nodes().size(), 2);
    click(node("conv1"), Qt::ControlModifier);
    EXPECT_EQ(m_selection.nodes(), QSet<quint32>{node("fc").index()});
    QTest::mouseClick(&m_view, Qt::LeftButton, {}, {2, 2});
    EXPECT_TRUE(m_selection.nodes().isEmpty());
}

TEST_F(GraphViewTest, ShiftDragSelectsWhatTheBandTouches) {
    open(test::residualModel(2));
    const QPoint from(2, 2), to(m_view.width() - 3, at(node("layer1.0.conv1")).y());
    QTest::mousePress(&m_view, Qt::LeftButton, Qt::ShiftModifier, from);
    QTest::mouseMove(&m_view, {300, 100});
    QTest::mouseMove(&m_view, to);
    QTest::mouseRelease(&m_view, Qt::LeftButton, Qt::ShiftModifier, to);
    EXPECT_TRUE(m_selection.contains(node("conv1")));
    EXPECT_TRUE(m_selection.contains(node("layer1.0.conv1")));
    EXPECT_FALSE(m_selection.contains(node("fc")));
}

TEST_F(GraphViewTest, DragPansAndKeepsTheSelection) {
    open(test::residualModel(2));
    click(node("conv1"));
    const Vec2 before = m_view.camera().offset();
    QTest::mousePress(&m_view, Qt::LeftButton, {}, {10, 10});
    QTest::mouseMove(&m_view, {40, 60});
    QTest::mouseMove(&m_view, {110, 80});
    QTest::mouseRelease(&m_view, Qt::LeftButton, {}, {110, 80});
    EXPECT_DOUBLE_EQ(m_view.camera().offset().x, before.x + 100);
    EXPECT_DOUBLE_EQ(m_view.camera().offset().y, before.y + 70);
    EXPECT_EQ(m_selection.current(), node("conv1"));
}

TEST_F(GraphViewTest, WheelZoomsAroundTheMouse) {
    open(test::residualModel(4));
    const QPointF mouse(200, 150);
    const Vec2 fixed = m_view.camera().toScene(Vec2{200, 150});
    const double before = m_view.camera().scale();
    QWheelEvent wheel(mouse, m_view.mapToGlobal(mouse), {}, {0, 240}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&m_view, &wheel);
    EXPECT_GT(m_view.camera().scale(), before * 1.2);
    const Vec2 after = m_view.camera().toScene(Vec2{200, 150});
    EXPECT_NEAR(after.x, fixed.x, 2 / before);
    EXPECT_NEAR(after.y, fixed.y, 2 / before);
}

TEST_F(GraphViewTest, KeysZoomPanAndFit) {
    open(test::residualModel(4));
    m_view.fit();
    const double fitted = m_view.camera().scale();
    QTest::keyClick(&m_view, Qt::Key_Plus);
    EXPECT_GT(m_view.camera().scale(), fitted);
    const double x = m_view.camera().offset().x;
    QTest::keyClick(&m_view, Qt::Key_Right);
    EXPECT_LT(m_view.camera().offset().x, x);
    QTest::keyClick(&m_view, Qt::Key_F);
    EXPECT_DOUBLE_EQ(m_view.camera().scale(), fitted);
}

TEST_F(GraphViewTest, ATallGraphOpensAtItsBeginningAtAReadableSize) {
    open(test::residualModel(30));
    EXPECT_GE(m_view.camera().scale(), 0.5);
    EXPECT_TRUE(m_view.rect().contains(at(node("conv1"))));
    QTest::keyClick(&m_view, Qt::Key_F);
    EXPECT_TRUE(m_view.rect().contains(at(node("fc"))));
}

TEST_F(GraphViewTest, SlashSearchesCountsAndStepsThroughMatches) {
    open(test::residualModel(3));
    QTest::keyClick(&m_view, Qt::Key_Slash);
    auto* field = m_view.findChild<QLineEdit*>();
    ASSERT_TRUE(field != nullptr && field->isVisible());
    QTest::keyClicks(field, "gemm");
    EXPECT_EQ(m_view.matchCount(), 1);
    EXPECT_EQ(m_selection.current(), node("fc"));
    field->clear();
    QTest::keyClicks(field, "conv2");
    EXPECT_EQ(m_view.matchCount(), 3);
    EXPECT_EQ(m_selection.current(), node("layer1.0.conv2"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(m_selection.current(), node("layer1.1.conv2"));
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(m_selection.current(), node("layer1.0.conv2"));
    EXPECT_TRUE(m_view.rect().contains(at(m_selection.current())));
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_FALSE(field->isVisible());
    EXPECT_EQ(m_view.matchCount(), 0);
}

TEST_F(GraphViewTest, DoubleClickOpensABodyInPlaceAndClosesIt) {
    open(test::branchingModel());
    const QPoint where = at(node("branch"));
    QTest::mouseDClick(&m_view, Qt::LeftButton, {}, where);
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_view.laidOut(); }, 5000));
    ASSERT_NE(m_view.scene()->itemOfNode[node("inner_tanh").index()], kNoItem);
    const Box frame = item(node("branch")).box;
    const Vec2 header = m_view.camera().toScreen(Vec2{frame.center().x, frame.y0 + 10});
    QTest::mouseDClick(&m_view, Qt::LeftButton, {}, {qRound(header.x), qRound(header.y)});
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_view.laidOut(); }, 5000));
    EXPECT_EQ(m_view.scene()->itemOfNode[node("inner_tanh").index()], kNoItem);
}

TEST_F(GraphViewTest, RevealOpensTheBodyOfAHiddenNode) {
    open(test::branchingModel());
    m_selection.reveal(node("inner_neg"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_view.laidOut() && m_view.scene()->itemOfNode[node("inner_neg").index()] != kNoItem; }, 5000));
    EXPECT_TRUE(m_view.rect().contains(at(node("inner_neg"))));
}

TEST_F(GraphViewTest, HoverIsShared) {
    open(test::residualModel(1));
    QTest::mouseMove(&m_view, at(node("conv1")));
    EXPECT_EQ(m_selection.hovered(), node("conv1"));
    QTest::mouseMove(&m_view, {1, 1});
    EXPECT_FALSE(m_selection.hovered());
}

TEST_F(GraphViewTest, SignalsTellWhenTheLayoutStartsAndEnds) {
    QSignalSpy started(&m_view, &GraphView::layoutStarted), finished(&m_view, &GraphView::layoutFinished), cancelled(&m_view, &GraphView::layoutCancelled);
    open(test::residualModel(1));
    EXPECT_EQ(started.count(), 1);
    EXPECT_EQ(finished.count(), 1);
    m_view.setModel(test::wideModel(300, 100), nullptr);
    m_view.cancelLayout();
    EXPECT_EQ(cancelled.count(), 1);
    QTest::qWait(50);
    EXPECT_EQ(finished.count(), 1);
}

TEST_F(GraphViewTest, PanPaintsTheSamePictureAsAFreshPaint) {
    for (const double zoom : {1.0, 0.35, 0.08}) {
        open(test::residualModel(12));
        m_view.fit();
        m_view.zoomBy(zoom / m_view.camera().scale());
        m_view.grab();  // fills the cache
        for (const QPoint step : {QPoint(31, -17), QPoint(-64, 40), QPoint(0, 23)}) {
            QTest::mousePress(&m_view, Qt::LeftButton, {}, {400, 300});
            QTest::mouseMove(&m_view, QPoint(400, 300) + step);
            QTest::mouseRelease(&m_view, Qt::LeftButton, {}, QPoint(400, 300) + step);
            m_view.grab();
        }
        QTest::mouseMove(&m_view, {1, 1});
        m_selection.clear();
        const QImage moved = m_view.grab().toImage();
        m_view.setNodeTimes({});  // drops the cached picture
        const QImage fresh = m_view.grab().toImage();
        int different = 0;
        for (int y = 0; y < fresh.height(); ++y)
            for (int x = 0; x < fresh.width(); ++x)
                if (std::abs(qGray(fresh.pixel(x, y)) - qGray(moved.pixel(x, y))) > 24) ++different;
        EXPECT_LT(different, 40) << "at zoom " << zoom;
    }
}

TEST_F(GraphViewTest, ColoursFollowPlacementAndHeat) {
    open(test::residualModel(2));
    QVector<NodePlacement> placement(static_cast<qsizetype>(m_model->nodes().size()));
    for (auto& p : placement) {
        p.device = QStringLiteral("cpu");
        p.deviceIndex = 0;
        p.outcome = QStringLiteral("executed");
    }
    m_view.setPlacement(placement);
    m_view.fit();
    m_view.zoomBy(1.5 / m_view.camera().scale());
    m_view.revealNode(node("conv1"));
    const Vec2 stripe = m_view.camera().toScreen(Vec2{item(node("conv1")).box.x0 + 2, item(node("conv1")).box.center().y});
    EXPECT_EQ(m_view.grab().toImage().pixelColor(qRound(stripe.x), qRound(stripe.y)), m_theme.deviceColor(0));

    QVector<double> times(placement.size(), 1000.0);
    times[node("conv1").index()] = 1e6;
    m_view.setNodeTimes(times);
    QTest::keyClick(&m_view, Qt::Key_H);
    EXPECT_TRUE(m_view.heat());
    const Vec2 corner = m_view.camera().toScreen(Vec2{item(node("conv1")).box.x1 - 4, item(node("conv1")).box.y1 - 4});
    EXPECT_EQ(m_view.grab().toImage().pixelColor(qRound(corner.x), qRound(corner.y)), m_theme.heat(1.0));
}

TEST_F(GraphViewTest, ContextMenuSelectsAllOfOneType) {
    open(test::residualModel(3));
    QTimer::singleShot(0, [] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr);
        menu->actions().front()->trigger();
        menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Mouse, at(node("conv1")), m_view.mapToGlobal(at(node("conv1"))));
    QApplication::sendEvent(&m_view, &event);
    EXPECT_EQ(m_selection.nodes().size(), 8);  // conv1, 2 per block, one downsample
}

TEST_F(GraphViewTest, EmptyViewSaysWhatToDo) {
    m_view.resize(400, 300);
    m_view.show();
    EXPECT_FALSE(m_view.grab().isNull());
    EXPECT_EQ(m_view.accessibleName(), GraphView::tr("Model graph"));
    EXPECT_EQ(m_view.accessibleDescription(), GraphView::tr("No model is open"));
    for (const auto key : {Qt::Key_F, Qt::Key_Plus, Qt::Key_N, Qt::Key_Space, Qt::Key_C, Qt::Key_H})
        QTest::keyClick(&m_view, key);
    m_view.setModel(nullptr, nullptr);
}

}  // namespace
}  // namespace hs::ui
