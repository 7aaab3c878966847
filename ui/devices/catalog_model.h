// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QVector>
#include <memory>

#include "ui/models/device_catalog.h"

namespace hs::ui {

class Theme;

/// Tree of the catalog: a row per device with its properties below it, then a row per plugin with its state and why.
class CatalogModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, State, Details, ColumnCount };

    CatalogModel(const DeviceCatalog* catalog, const Theme* theme, QObject* parent = nullptr);
    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    bool isDevice(const QModelIndex& index) const;

public slots:
    void rebuild();

private:
    struct Item {
        Item* parent = nullptr;
        QString name, state, details, tip;
        int deviceIndex = -2;  ///< Colour of the badge; -2: none.
        bool warning = false;
        std::vector<std::unique_ptr<Item>> children;
    };
    static Item* add(Item& parent, QString name, QString state = {}, QString details = {});
    void addDevice(const DeviceCatalog::Device& device, int index);
    void addPlugin(const DeviceCatalog::Plugin& plugin);
    const Item* item(const QModelIndex& index) const;
    static int rowOf(const Item& item);

    const DeviceCatalog* m_catalog;
    const Theme* m_theme;
    std::unique_ptr<Item> m_root;
};

}  // namespace hs::ui
