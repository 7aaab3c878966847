// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include "ui/models/device_catalog.h"
#include "ui/models/document.h"

class QLabel;
class QToolButton;
class QTreeView;
class QVBoxLayout;

namespace hs::ui {

class CatalogModel;
class CounterStrip;
class Theme;

/// What the machine has, every plugin with its state and why, and the counters of the current run.
class DevicesPanel : public QWidget {
    Q_OBJECT
public:
    DevicesPanel(DeviceCatalog* catalog, Document* document, Theme* theme, QWidget* parent = nullptr);
    QTreeView* tree() const { return m_tree; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showCatalog();
    void showCounters();

    DeviceCatalog* m_catalog;
    Document* m_document;
    Theme* m_theme;
    CatalogModel* m_model;
    QTreeView* m_tree;
    QLabel* m_title;
    QLabel* m_utilisation;
    QLabel* m_empty;
    QToolButton* m_refresh;
    QVBoxLayout* m_strips;
    QVector<CounterStrip*> m_shown;
};

}  // namespace hs::ui
