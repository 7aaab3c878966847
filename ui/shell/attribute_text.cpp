// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/attribute_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace hs::ui {
namespace {

constexpr std::size_t kMostItems = 24;
constexpr int kLongestText = 200;

QString oneOf(std::int64_t v) {
    return QString::number(v);
}
QString oneOf(float v) {
    return QString::number(static_cast<double>(v), 'g', 7);
}
QString oneOf(const std::string& v) {
    QString out = QString::fromStdString(v);
    if (out.size() > kLongestText) out = out.left(kLongestText) + u'…';
    return QStringLiteral("\"%1\"").arg(out);
}
QString oneOf(const Tensor& v) {
    return QString::fromStdString(v.type().text());
}

QString subgraphText(const Graph& graph) {
    const int count = static_cast<int>(graph.nodes.size());
    return QCoreApplication::translate("hs::ui::AttributeText", "subgraph %1 with %n node(s)", nullptr, count).arg(QString::fromStdString(graph.name));
}

struct Words {
    const Model& model;

    QString operator()(std::int64_t v) const { return oneOf(v); }
    QString operator()(float v) const { return oneOf(v); }
    QString operator()(const std::string& v) const { return oneOf(v); }
    QString operator()(const Tensor& v) const { return oneOf(v); }
    QString operator()(GraphId v) const { return subgraphText(model.graph(v)); }
    QString operator()(const ValueType& v) const { return QString::fromStdString(v.text()); }
    template <class T>
    QString operator()(const std::vector<T>& list) const {
        QStringList out;
        for (std::size_t i = 0; i < std::min(list.size(), kMostItems); ++i) {
            if constexpr (std::is_same_v<T, GraphId>)
                out << (*this)(list[i]);
            else
                out << oneOf(list[i]);
        }
        if (list.size() > kMostItems) out << QStringLiteral("… (%1)").arg(list.size());
        return u'[' + out.join(QStringLiteral(", ")) + u']';
    }
};

}  // namespace

QString attributeText(const Model& model, const AttributeValue& value) {
    return std::visit(Words{model}, value);
}

}  // namespace hs::ui
