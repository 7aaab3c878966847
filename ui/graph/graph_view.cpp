// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_view.h"

#include <QCoreApplication>
#include <QToolTip>

#include "ui/graph/graph_painter.h"
#include "ui/graph/search_bar.h"

namespace hs::ui {
namespace {

constexpr double kFirstScale = 1.0;      ///< Text as large as everywhere else in the window.
constexpr double kSmallestFirst = 0.75;  ///< Where that shows the whole width; smaller text is hard to read.

}  // namespace

GraphView::GraphView(Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_theme(theme), m_job(new LayoutJob(this)), m_search(new SearchBar(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Model graph"));
    m_search->hide();
    connect(m_job, &LayoutJob::ready, this, &GraphView::takeScene);
    connect(m_job, &LayoutJob::cancelled, this, &GraphView::layoutCancelled);
    connect(m_search, &SearchBar::textChanged, this, &GraphView::search);
    connect(m_search, &SearchBar::step, this, &GraphView::nextMatch);
    connect(m_search, &SearchBar::closed, this, [this] {
        m_search->hide();
        search({});
        setFocus();
    });
    connect(m_selection, &Selection::nodesChanged, this, [this] {
        updateAccessibility();
        update();
    });
    connect(m_selection, &Selection::hoveredChanged, this, qOverload<>(&QWidget::update));
    connect(m_selection, &Selection::revealRequested, this, &GraphView::revealNode);
    connect(m_theme, &Theme::changed, this, &GraphView::rebuildLooks);
    updateAccessibility();
}

GraphView::~GraphView() = default;

void GraphView::setModel(ModelPtr model, std::shared_ptr<const TypeTable> types) {
    if (model == m_data.model) {  // types may come later than the model
        m_data.types = std::move(types);
        dropPicture();
        return;
    }
    m_data.model = std::move(model);
    m_data.types = std::move(types);
    m_data.placement.clear();
    m_data.timesNs.clear();
    m_options.expanded.clear();
    m_anchor = m_revealAfter = {};
    m_fitted = true;
    m_matches.clear();
    if (m_data.model == nullptr) {
        cancelLayout();
        m_scene.reset();
        m_looks = {};
        dropPicture();
        updateAccessibility();
        return;
    }
    m_scene.reset();  // its node ids mean nothing in another model
    dropPicture();
    startLayout({});
}

void GraphView::startLayout(NodeId anchor) {
    if (m_data.model == nullptr) return;
    m_anchor = anchor;
    emit layoutStarted();
    emit layoutProgress(0);
    m_job->start(m_data.model, m_options);
}

void GraphView::cancelLayout() {
    m_job->cancel();
}

void GraphView::takeScene(std::shared_ptr<const GraphScene> scene, bool final) {
    std::optional<Vec2> before;
    if (m_scene && m_anchor && m_scene->itemOfNode[m_anchor.index()] != kNoItem) {
        const Box& box = m_scene->items[m_scene->itemOfNode[m_anchor.index()]].box;
        before = m_camera.toScreen(Vec2{box.x0, box.y0});
    }
    m_scene = std::move(scene);
    rebuildLooks();
    if (m_fitted) {
        showFirst();
    } else if (before && m_scene->itemOfNode[m_anchor.index()] != kNoItem) {
        const Box& box = m_scene->items[m_scene->itemOfNode[m_anchor.index()]].box;
        const Vec2 after = m_camera.toScreen(Vec2{box.x0, box.y0});
        m_camera.panBy(before->x - after.x, before->y - after.y);
    }
    updateMatches();
    updateAccessibility();
    emit layoutProgress(final ? 1.0 : 0.5);
    if (!final) return;
    m_anchor = {};
    emit layoutFinished();
    if (m_revealAfter) revealNode(std::exchange(m_revealAfter, NodeId{}));
}

void GraphView::rebuildLooks() {
    if (m_scene) m_looks = makeLooks(*m_scene, m_data, *m_theme);
    dropPicture();
}

void GraphView::dropPicture() {
    m_baseScale = 0;
    m_minimap = {};
    update();
}

void GraphView::setPlacement(QVector<NodePlacement> placement) {
    m_data.placement = std::move(placement);
    rebuildLooks();
}

void GraphView::setNodeTimes(QVector<double> ns) {
    m_data.timesNs = std::move(ns);
    if (m_data.heat)
        rebuildLooks();
    else
        dropPicture();
}

void GraphView::setHeat(bool on) {
    if (on == m_data.heat) return;
    m_data.heat = on;
    rebuildLooks();
    emit heatChanged(on);
}

void GraphView::setConstantsShown(bool on) {
    if (on == m_options.showConstants) return;
    m_options.showConstants = on;
    startLayout(m_selection->current());
    emit constantsShownChanged(on);
}

void GraphView::fit() {
    m_fitted = true;
    if (!m_scene) {
        if (m_data.model != nullptr && !m_job->running()) startLayout({});  // It was cancelled.
        return;
    }
    m_camera.setPixelRatio(devicePixelRatioF());
    m_camera.fit(m_scene->bounds, width(), height());
    update();
}

/// The first look: the whole where it can be made out, else the beginning of a tall graph at a size that can be read.
void GraphView::showFirst() {
    fit();
    const Box& bounds = m_scene->bounds;
    const double scale = std::clamp((width() - 48.0) / std::max(1.0, bounds.width()), kSmallestFirst, kFirstScale);
    if (m_camera.scale() >= scale || m_scene->items.empty() || bounds.width() * scale > 3.0 * width()) return;
    m_camera.setScale(scale);
    m_camera.setOffset({width() / 2.0 - m_scene->items.front().box.center().x * scale, 24 - bounds.y0 * scale});
}

void GraphView::zoomBy(double factor) {
    m_fitted = false;
    m_camera.zoomBy(factor, {width() / 2.0, height() / 2.0});
    update();
}

void GraphView::toggleExpanded(NodeId node) {
    if (!m_data.model || !node || m_data.model->node(node).subgraphs().empty()) return;
    if (m_options.expanded.erase(node) == 0) m_options.expanded.insert(node);
    m_fitted = false;
    startLayout(node);
}

void GraphView::revealNode(NodeId node) {
    if (!m_scene || !node || node.index() >= m_scene->itemOfNode.size()) return;
    if (m_scene->itemOfNode[node.index()] == kNoItem) {
        bool opened = false;
        for (NodeId owner = m_data.model->graph(m_data.model->node(node).graph).parent; owner;
             owner = m_data.model->graph(m_data.model->node(owner).graph).parent)
            opened |= m_options.expanded.insert(owner).second;
        if (opened) {
            m_fitted = false;
            m_revealAfter = node;
            startLayout({});
            return;
        }
    }
    const std::uint32_t item = m_scene->visibleItem(*m_data.model, node);
    if (item != kNoItem) centerItem(item);
}

void GraphView::centerItem(std::uint32_t item) {
    m_fitted = false;
    if (m_camera.scale() < GraphPainter::kCardScale) m_camera.setScale(0.8);
    const Box& box = m_scene->items[item].box;
    m_camera.centerOn(box.height() * m_camera.scale() < height() ? box.center() : Vec2{box.center().x, box.y0 + height() / 3.0 / m_camera.scale()}, width(),
                      height());
    update();
}

void GraphView::focusSearch() {
    m_search->adjustSize();
    m_search->move(width() - m_search->width() - 8, 8);
    m_search->open();
}

void GraphView::search(const QString& text) {
    if (m_search->text() != text) {
        m_search->setText(text);  // comes back here
        return;
    }
    m_match = -1;
    updateMatches();
    if (!m_matches.empty()) nextMatch(1);
    update();
}

void GraphView::updateMatches() {
    m_matches.clear();
    const QString text = m_search->text().trimmed();
    if (m_data.model && !text.isEmpty()) {
        const std::string bytes = text.toStdString();
        for (const Node& node : m_data.model->nodes()) {
            const auto has = [&](const std::string& in) { return QString::fromStdString(in).contains(text, Qt::CaseInsensitive); };
            if (has(node.name) || has(node.opType)) m_matches.push_back(node.id.index());
        }
    }
    if (m_match >= matchCount()) m_match = -1;
    m_search->setMatches(m_match, matchCount());
}

void GraphView::nextMatch(int direction) {
    if (m_matches.empty()) return;
    const int count = matchCount();
    m_match = m_match < 0 ? (direction > 0 ? 0 : count - 1) : (m_match + direction + count) % count;
    m_search->setMatches(m_match, count);
    const NodeId node(m_matches[static_cast<std::size_t>(m_match)]);
    m_selection->select(node);
    revealNode(node);
}

void GraphView::selectSameType(NodeId node) {
    QSet<quint32> same;
    for (const Node& other : m_data.model->nodes())
        if (other.opType == m_data.model->node(node).opType && other.domain == m_data.model->node(node).domain) same.insert(other.id.index());
    m_selection->setNodes(same, node);
}

void GraphView::updateAccessibility() {
    if (!m_data.model) {
        setAccessibleDescription(tr("No model is open"));
        return;
    }
    const NodeId current = m_selection->current();
    const QString selected =
        current && current.index() < m_data.model->nodes().size()
            ? tr("%1, %2").arg(QString::fromStdString(m_data.model->node(current).opType), QString::fromStdString(m_data.model->node(current).name))
            : tr("nothing selected");
    setAccessibleDescription(tr("%n node(s); %1", nullptr, static_cast<int>(m_data.model->nodes().size())).arg(selected));
}

}  // namespace hs::ui
