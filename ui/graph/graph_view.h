// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/graph/camera.h"
#include "ui/graph/graph_looks.h"
#include "ui/graph/layout_job.h"
#include "ui/models/selection.h"

class QPainterPath;

namespace hs::ui {

class SearchBar;

/// The model's graph: layered, top to bottom, smooth at any size. Shows and changes the shared Selection.
/// Keys: arrows pan, +/- zoom, F fit, / search, N next match, C constants, H heat, Space open or close a body, Ctrl+A all, Esc none.
class GraphView : public QWidget {
    Q_OBJECT
public:
    GraphView(Selection* selection, Theme* theme, QWidget* parent = nullptr);
    ~GraphView() override;

    /// Starts a layout; the picture before it stays until the first one is there. Null empties the view.
    void setModel(ModelPtr model, std::shared_ptr<const TypeTable> types);
    void setPlacement(QVector<NodePlacement> placement);  ///< By NodeId; empty: not run.
    void setNodeTimes(QVector<double> ns);                ///< By NodeId; NaN: not measured.
    bool heat() const { return m_data.heat; }
    bool constantsShown() const { return m_options.showConstants; }
    bool laidOut() const { return m_scene != nullptr && !m_job->running(); }
    const GraphScene* scene() const { return m_scene.get(); }
    const Camera& camera() const { return m_camera; }
    int matchCount() const { return static_cast<int>(m_matches.size()); }
    QSize sizeHint() const override { return {900, 600}; }
    QSize minimumSizeHint() const override { return {200, 150}; }

public slots:
    void setHeat(bool on);
    void setConstantsShown(bool on);
    void fit();
    void zoomBy(double factor);  ///< Around the middle of the view.
    void search(const QString& text);
    void focusSearch();
    void nextMatch(int direction = 1);
    /// Opens the bodies around a node if need be, and centres it.
    void revealNode(hs::NodeId node);
    void toggleExpanded(hs::NodeId node);
    void cancelLayout();

signals:
    void layoutStarted();
    void layoutProgress(double fraction);
    void layoutFinished();
    void layoutCancelled();
    void heatChanged(bool on);
    void constantsShownChanged(bool on);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Drag { None, Pan, RubberBand, Minimap };

    void startLayout(NodeId anchor);
    void takeScene(std::shared_ptr<const GraphScene> scene, bool final);
    void showFirst();
    void rebuildLooks();
    void dropPicture();  ///< The cached pixels are no longer right.
    void updateAccessibility();
    void updateMatches();

    void updateBase();
    void shiftBase(QPoint by);
    void paintHighlights(QPainter& p);
    void paintSelectedEdges(QPainter& p);
    void paintMatches(QPainter& p);
    void paintOutline(QPainter& p, std::uint32_t item, const QColor& color, double width, bool filled = false) const;
    void paintMinimap(QPainter& p);
    void paintEmpty(QPainter& p) const;

    std::optional<QRect> minimapRect() const;
    void minimapTo(QPointF pos);
    std::uint32_t itemAt(QPointF pos) const;
    void selectInBand(bool add);
    void selectSameType(NodeId node);
    void centerItem(std::uint32_t item);
    QString tooltipFor(const SceneItem& item) const;
    QString tooltipForNode(const Node& node) const;
    QString valueText(ValueId value) const;
    QRectF screenBox(const Box& box) const;

    Selection* m_selection;
    Theme* m_theme;
    LayoutJob* m_job;
    SearchBar* m_search;
    GraphData m_data;
    SceneOptions m_options;
    std::shared_ptr<const GraphScene> m_scene;
    GraphLooks m_looks;
    Camera m_camera;
    bool m_fitted = false;  ///< Still shows the whole: a better layout or another size may fit anew.
    NodeId m_anchor;        ///< Stays where it is over the next layout.
    NodeId m_revealAfter;   ///< Wanted in sight once its body is open.

    QImage m_base;  ///< The picture without highlights, in device pixels.
    double m_baseScale = 0;
    QPoint m_baseOffset;
    QImage m_minimap;

    Drag m_drag = Drag::None;
    bool m_moved = false;
    QPointF m_pressed, m_last;
    std::vector<std::uint32_t> m_matches;  ///< NodeIds in graph order.
    int m_match = -1;
};

}  // namespace hs::ui
