// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_scene.h"

#include <gtest/gtest.h>

#include "tests/gui/graph_models.h"
#include "ui/graph/camera.h"

namespace hs::ui {
namespace {

std::size_t operators(const GraphScene& scene) {
    return static_cast<std::size_t>(std::count_if(scene.items.begin(), scene.items.end(), [](const SceneItem& i) { return i.kind == ItemKind::Operator; }));
}

TEST(GraphScene, ShowsOperatorsInputsAndOutputsButNoWeights) {
    const ModelPtr model = test::residualModel(3);
    const auto scene = buildScene(*model, {});
    ASSERT_TRUE(scene);
    EXPECT_EQ(operators(*scene), model->nodes().size());
    EXPECT_EQ(scene->items.size(), model->nodes().size() + 2);
    for (const SceneEdge& edge : scene->edges)
        EXPECT_LT(scene->items[edge.from].box.y1, scene->items[edge.to].box.y0);
}

TEST(GraphScene, ConstantsAreHiddenUntilAskedFor) {
    const ModelPtr model = test::branchingModel();
    const NodeId constant = model->findNode("one");
    EXPECT_EQ(hiddenConstants(*model), 1U);
    EXPECT_EQ(buildScene(*model, {})->itemOfNode[constant.index()], kNoItem);
    SceneOptions options;
    options.showConstants = true;
    EXPECT_NE(buildScene(*model, options)->itemOfNode[constant.index()], kNoItem);
}

TEST(GraphScene, BodiesOpenInsideTheirOwner) {
    const ModelPtr model = test::branchingModel();
    const NodeId owner = model->findNode("branch"), inner = model->findNode("inner_tanh");
    const auto closed = buildScene(*model, {});
    EXPECT_EQ(closed->itemOfNode[inner.index()], kNoItem);
    EXPECT_EQ(closed->visibleItem(*model, inner), closed->itemOfNode[owner.index()]);

    SceneOptions options;
    options.expanded = {owner};
    const auto open = buildScene(*model, options);
    const std::uint32_t item = open->itemOfNode[inner.index()];
    ASSERT_NE(item, kNoItem);
    const Box frame = open->items[open->itemOfNode[owner.index()]].box, box = open->items[item].box;
    EXPECT_TRUE(frame.contains({box.x0, box.y0}) && frame.contains({box.x1, box.y1}));
    EXPECT_EQ(open->itemAt(box.center()), item);
    // Each body shows the value that it takes from outside.
    EXPECT_EQ(std::count_if(open->items.begin(), open->items.end(), [](const SceneItem& i) { return i.kind == ItemKind::Capture; }), 2);
    // The captured value's producer is above the owner.
    EXPECT_LT(open->items[open->itemOfNode[model->findNode("relu").index()]].box.y1, frame.y0);
}

TEST(GraphScene, HitTestFindsTheNodeUnderAPoint) {
    const ModelPtr model = test::residualModel(5);
    const auto scene = buildScene(*model, {});
    for (std::uint32_t i = 0; i < scene->items.size(); ++i)
        EXPECT_EQ(scene->itemAt(scene->items[i].box.center()), i);
    EXPECT_EQ(scene->itemAt({scene->bounds.x0 - 50, scene->bounds.y0}), kNoItem);
}

TEST(Camera, ZoomKeepsThePointUnderTheMouse) {
    Camera camera;
    camera.setOffset({37, -12});
    const Vec2 before = camera.toScene(Vec2{200, 100});
    camera.zoomBy(1.7, {200, 100});
    const Vec2 after = camera.toScene(Vec2{200, 100});
    EXPECT_NEAR(before.x, after.x, 1 / camera.scale());
    EXPECT_NEAR(before.y, after.y, 1 / camera.scale());
    camera.zoomBy(1e9, {0, 0});
    EXPECT_DOUBLE_EQ(camera.scale(), Camera::kMaxScale);
}

TEST(Camera, FitShowsTheWholeBoxAndDoesNotMagnify) {
    Camera camera;
    camera.fit({0, 0, 4000, 1000}, 800, 600);
    const Box seen = camera.toScene(Box{0, 0, 800, 600});
    EXPECT_TRUE(seen.contains({0, 0}) && seen.contains({4000, 1000}));
    camera.fit({0, 0, 10, 10}, 800, 600);
    EXPECT_DOUBLE_EQ(camera.scale(), 1);
}

}  // namespace
}  // namespace hs::ui
