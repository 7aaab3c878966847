// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QJsonObject>
#include <QString>

#include "core/base/ids.h"

namespace hs::ui {

class Document;
class NodeTableModel;
class Selection;
class Theme;

/// What the inspector says, as rich text. Links are "node:INDEX".
class InspectorText {
    Q_DECLARE_TR_FUNCTIONS(hs::ui::InspectorText)
public:
    InspectorText(const Document& document, const NodeTableModel& nodes, const Theme& theme) : m_document(document), m_nodes(nodes), m_theme(theme) {}
    QString node(NodeId id) const;
    QString group(const Selection& selection) const;
    /// With nothing selected: the model, and the run as a whole.
    QString overview() const;

private:
    QString title(const QString& name, const QString& kind) const;
    QString section(const QString& name, const QString& rows) const;
    QString row(const QString& key, const QString& value, const QString& tip = {}) const;
    QString warning(const QString& text) const;
    QString placement(quint32 index) const;
    QString measured(quint32 index) const;
    QString values(NodeId id) const;
    QString attributes(NodeId id) const;
    QString modelFacts() const;
    QString runFacts() const;
    QString iterationFacts() const;
    QString messages() const;
    /// A row for `key` of a JSON object in ms; empty where it isn't there.
    QString duration(const QJsonObject& from, const char* key, const QString& name) const;

    const Document& m_document;
    const NodeTableModel& m_nodes;
    const Theme& m_theme;
};

}  // namespace hs::ui
