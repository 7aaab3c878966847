// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QFont>
#include <QHash>
#include <QPainter>
#include <QSet>
#include <QString>
#include <optional>

#include "ui/models/theme.h"
#include "ui/timeline/timeline_rows.h"
#include "ui/timeline/viewport.h"

namespace hs::ui {

/// Everything that the picture of a timeline depends on.
struct TimelinePicture {
    std::shared_ptr<const TimelineMeta> meta;
    std::shared_ptr<const TimelineWindow> window;
    TimeViewport viewport;  ///< Its width is that of the plot, right of the names.
    std::vector<TimelineRow> rows;
    RowMetrics metrics;
    double scroll = 0;
    QHash<QString, int> deviceColors;  ///< Device name to its colour's index, as in every view.
    QSet<qint64> selectedSteps;
    qint64 hoveredSpan = -1;
    std::optional<double> cursorX;  ///< In the plot.
    std::optional<std::pair<qint64, qint64>> range;

    static constexpr int kNames = 176;  ///< Width of the names' column.
    int rulerHeight() const { return meta && !meta->iterations.empty() ? 46 : 28; }
};

/// Paints a timeline: ruler, iteration bands, rows, range and cursor.
class TimelinePainter {
    Q_DECLARE_TR_FUNCTIONS(hs::ui::TimelinePainter)
public:
    TimelinePainter(const TimelinePicture& picture, const Theme& theme, const QFont& font) : m_pic(picture), m_theme(theme), m_font(font) {}
    void paint(QPainter& p, QSize size);
    /// Name of a span as a person reads it.
    static QString spanLabel(const SpanRecord& span, const TimelineMeta& meta);

private:
    void paintBands(QPainter& p, QSize size);
    void paintRuler(QPainter& p, QSize size);
    void paintIterationLane(QPainter& p, QSize size);
    void paintName(QPainter& p, const TimelineRow& row, const QRectF& box);
    void paintRow(QPainter& p, const TimelineRow& row, const QRectF& plot);
    void paintSpans(QPainter& p, const TimelineRow& row, const QRectF& plot, const std::vector<PlacedSpan>& spans);
    void paintSpan(QPainter& p, const PlacedSpan& span, const QRectF& box);
    void paintBuckets(QPainter& p, const QRectF& plot, const std::vector<LodBucket>& buckets, int deviceIndex);
    void paintUtilisation(QPainter& p, const TimelineRow& row, const QRectF& plot);
    void paintCounter(QPainter& p, const TimelineRow& row, const QRectF& plot);
    void paintRange(QPainter& p, QSize size);
    void paintCursor(QPainter& p, QSize size);
    QColor stepColor(qint64 step, const QString& fallback);
    QColor deviceColor(const TimelineRow& row) const;
    void hatch(QPainter& p, const QRectF& box, const QColor& over) const;
    QColor textOn(const QColor& fill) const;

    const TimelinePicture& m_pic;
    const Theme& m_theme;
    QFont m_font;
    QHash<qint64, QColor> m_colors;
};

}  // namespace hs::ui
