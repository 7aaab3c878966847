// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/catalog_model.h"

#include <QLocale>
#include <algorithm>

#include "ui/models/icon.h"
#include "ui/models/reason_text.h"
#include "ui/models/theme.h"

namespace hs::ui {
namespace {

QString stateText(const QString& state) {
    if (state == QLatin1String("NotBuilt")) return CatalogModel::tr("not built");
    if (state == QLatin1String("MetadataInvalid")) return CatalogModel::tr("invalid metadata");
    if (state == QLatin1String("AbiMismatch")) return CatalogModel::tr("ABI mismatch");
    if (state == QLatin1String("DependencyMissing")) return CatalogModel::tr("dependency missing");
    if (state == QLatin1String("LoadFailed")) return CatalogModel::tr("load failed");
    if (state == QLatin1String("ProbeFailed")) return CatalogModel::tr("probe failed");
    if (state == QLatin1String("NoDevice")) return CatalogModel::tr("no device");
    if (state == QLatin1String("Disabled")) return CatalogModel::tr("disabled");
    if (state == QLatin1String("Ready")) return CatalogModel::tr("ready");
    return state.isEmpty() ? CatalogModel::tr("unavailable") : state;
}

}  // namespace

CatalogModel::CatalogModel(const DeviceCatalog* catalog, const Theme* theme, QObject* parent)
    : QAbstractItemModel(parent), m_catalog(catalog), m_theme(theme), m_root(std::make_unique<Item>()) {
    connect(catalog, &DeviceCatalog::changed, this, &CatalogModel::rebuild);
    rebuild();
}

CatalogModel::Item* CatalogModel::add(Item& parent, QString name, QString state, QString details) {
    auto child = std::make_unique<Item>();
    child->parent = &parent;
    child->name = std::move(name);
    child->state = std::move(state);
    child->tip = details;
    child->details = std::move(details);
    parent.children.push_back(std::move(child));
    return parent.children.back().get();
}

void CatalogModel::rebuild() {
    beginResetModel();
    m_root = std::make_unique<Item>();
    int index = 0;
    for (const DeviceCatalog::Device& device : m_catalog->devices())
        addDevice(device, index++);
    for (const DeviceCatalog::Plugin& plugin : m_catalog->plugins())
        addPlugin(plugin);
    if (!m_catalog->problem().isEmpty()) add(*m_root, tr("Devices are unknown"), tr("unavailable"), m_catalog->problem())->warning = true;
    endResetModel();
}

void CatalogModel::addDevice(const DeviceCatalog::Device& device, int index) {
    QStringList facts{device.name};
    if (device.peakGflops > 0) facts << tr("%1 GFLOP/s f32").arg(formatCount(device.peakGflops));
    if (device.bandwidthGbps > 0) facts << tr("%1 GB/s").arg(formatCount(device.bandwidthGbps));
    Item* item = add(*m_root, device.id, device.simulated ? tr("ready, simulated") : tr("ready"), facts.join(QStringLiteral(" · ")));
    item->deviceIndex = index;
    add(*item, tr("Name"), {}, device.name);
    add(*item, tr("Kind"), {}, device.kind);
    add(*item, tr("Found by plugin"), {}, device.plugin);
    if (device.memoryBytes > 0) add(*item, tr("Memory"), {}, formatBytes(device.memoryBytes))->tip = exactBytes(device.memoryBytes);
    if (device.peakGflops > 0) add(*item, tr("Measured peak, float32"), {}, tr("%1 GFLOP/s").arg(formatCount(device.peakGflops)));
    if (device.bandwidthGbps > 0) add(*item, tr("Measured bandwidth"), {}, tr("%1 GB/s").arg(formatCount(device.bandwidthGbps)));
    add(*item, tr("Executors, best first"), {}, device.executors.join(QStringLiteral(", ")));
    if (!device.capabilities.isEmpty()) add(*item, tr("Capabilities"), {}, device.capabilities.join(QStringLiteral(", ")));
    for (const auto& [name, value] : device.properties)
        add(*item, name, {}, value);
}

void CatalogModel::addPlugin(const DeviceCatalog::Plugin& plugin) {
    Item* item = add(*m_root, tr("plugin %1").arg(plugin.id), stateText(plugin.state), reasonText(plugin.reason, plugin.reasonText));
    item->warning = plugin.state != QLatin1String("Ready") && plugin.state != QLatin1String("Disabled") && plugin.state != QLatin1String("NotBuilt");
    if (!plugin.kind.isEmpty()) add(*item, tr("Kind"), {}, plugin.kind);
    if (!plugin.version.isEmpty()) add(*item, tr("Version"), {}, plugin.version);
    if (!plugin.file.isEmpty()) add(*item, tr("File"), {}, plugin.file);
}

const CatalogModel::Item* CatalogModel::item(const QModelIndex& index) const {
    return index.isValid() ? static_cast<const Item*>(index.internalPointer()) : m_root.get();
}

int CatalogModel::rowOf(const Item& item) {
    const auto& all = item.parent->children;
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& child) { return child.get() == &item; });
    return static_cast<int>(at - all.begin());
}

QModelIndex CatalogModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, item(parent)->children[static_cast<std::size_t>(row)].get());
}

QModelIndex CatalogModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) return {};
    const Item* above = item(child)->parent;
    if (above == nullptr || above == m_root.get()) return {};
    return createIndex(rowOf(*above), 0, const_cast<Item*>(above));
}

int CatalogModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(item(parent)->children.size());
}

int CatalogModel::columnCount(const QModelIndex& /*parent*/) const {
    return ColumnCount;
}

bool CatalogModel::isDevice(const QModelIndex& index) const {
    return index.isValid() && item(index)->deviceIndex >= 0;
}

QVariant CatalogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Item& row = *item(index);
    if (role == Qt::DisplayRole) return index.column() == Name ? row.name : index.column() == State ? row.state : row.details;
    if (role == Qt::ToolTipRole) return index.column() == Details ? row.tip : QString();
    if (role == Qt::DecorationRole && index.column() == Name && row.deviceIndex >= 0) return deviceBadgeIcon(*m_theme, row.name, row.deviceIndex, 14, 2.0);
    if (role == Qt::ForegroundRole && index.column() == State && row.warning) return m_theme->color(Token::Warning);
    if (role == Qt::ForegroundRole && index.column() == Name && row.parent != m_root.get()) return m_theme->color(Token::MutedText);
    return {};
}

QVariant CatalogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case Name: return tr("Device or plugin");
        case State: return tr("State");
        case Details: return tr("Details, or why and what to do");
        default: return {};
    }
}

}  // namespace hs::ui
