// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/inspector_text.h"

#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/models/document.h"
#include "ui/models/node_table_model.h"
#include "ui/models/reason_text.h"
#include "ui/models/selection.h"
#include "ui/models/theme.h"
#include "ui/shell/attribute_text.h"

namespace hs::ui {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s).toHtmlEscaped();
}

QString number(double value) {
    return QLocale().toString(value, 'f', 0);
}

}  // namespace

QString InspectorText::title(const QString& name, const QString& kind) const {
    return QStringLiteral("<p style='margin:0'><b style='font-size:large'>%1</b></p><p style='margin:0 0 4px 0;color:%3'>%2</p>")
        .arg(name, kind, m_theme.color(Token::MutedText).name());
}

QString InspectorText::section(const QString& name, const QString& rows) const {
    if (rows.isEmpty()) return {};
    return QStringLiteral("<p style='margin:10px 0 2px 0'><b>%1</b></p><table width='100%' cellspacing='0' cellpadding='1'>%2</table>").arg(name, rows);
}

QString InspectorText::row(const QString& key, const QString& value, const QString& tip) const {
    if (value.isEmpty()) return {};
    return QStringLiteral("<tr><td style='color:%3;padding-right:8px'>%1</td><td title='%4'>%2</td></tr>")
        .arg(key, value, m_theme.color(Token::MutedText).name(), tip.toHtmlEscaped());
}

QString InspectorText::warning(const QString& words) const {
    return QStringLiteral("<p style='margin:4px 0;color:%1'>%2</p>").arg(m_theme.color(Token::Warning).name(), words);
}

QString InspectorText::node(NodeId id) const {
    const int at = m_nodes.rowOf(id.index());
    if (at < 0) return overview();
    const NodeTableModel::Row& node = m_nodes.row(at);
    const auto cell = [&](NodeTableModel::Column column) { return m_nodes.index(at, column).data().toString().toHtmlEscaped(); };
    QString html = title(node.name.toHtmlEscaped(), cell(NodeTableModel::OpType));
    html += placement(id.index());
    html += measured(id.index());
    QString work;
    if (node.flops > 0) work += row(tr("FLOPs"), formatCount(node.flops), number(node.flops));
    const auto run = m_document.run();
    if (id.index() < run->nodes.size() && run->nodes[id.index()].bytes > 0)
        work += row(tr("Bytes moved"), formatBytes(run->nodes[id.index()].bytes), exactBytes(run->nodes[id.index()].bytes));
    if (const ModelPtr model = m_document.model(); model && id.index() < model->nodes().size()) {
        const Node& source = model->node(id);
        double weights = 0;
        for (const ValueId input : source.inputs)
            if (input && model->value(input).initializer) weights += static_cast<double>(model->value(input).initializer->bytes());
        if (weights > 0) work += row(tr("Weights"), formatBytes(weights), exactBytes(weights));
        work += row(tr("Opset"), QString::number(source.opset));
        if (model->graph(source.graph).parent) work += row(tr("In subgraph"), text(model->graph(source.graph).name));
        work += row(tr("From function"), text(source.functionPath));
    }
    html += section(tr("Work"), work) + values(id) + section(tr("Attributes"), attributes(id));
    return html;
}

QString InspectorText::placement(quint32 index) const {
    const NodePlacement* place = m_nodes.placement(index);
    if (place == nullptr || place->outcome.isEmpty()) return {};
    QString rows = row(tr("Outcome"), outcomeText(place->outcome).toHtmlEscaped());
    if (!place->requestedDevice.isEmpty()) rows += row(tr("Requested"), place->requestedDevice.toHtmlEscaped());
    if (!place->device.isEmpty())
        rows += row(tr("Device"),
                    QStringLiteral("<span style='color:%1'>■</span> %2").arg(m_theme.deviceColor(place->deviceIndex).name(), place->device.toHtmlEscaped()));
    rows += row(tr("Executor"), place->executor.toHtmlEscaped());
    const int at = m_nodes.rowOf(index);
    rows += row(tr("Kernel"), m_nodes.index(at, NodeTableModel::Kernel).data().toString().toHtmlEscaped());
    const QString why = reasonText(place->reason, place->reasonText).toHtmlEscaped();
    const bool moved = !place->requestedDevice.isEmpty() && place->requestedDevice != place->device;
    if (!moved) rows += row(tr("Why"), why);
    QString html = section(tr("Placement"), rows);
    if (moved) html += warning(tr("Requested %1, runs on %2: %3").arg(place->requestedDevice.toHtmlEscaped(), place->device.toHtmlEscaped(), why));
    return html;
}

QString InspectorText::measured(quint32 index) const {
    const OpStat* op = m_nodes.stat(index);
    if (op == nullptr) return {};
    const bool estimate = m_nodes.estimated(index);
    const auto time = [&](double ns) { return estimate ? QStringLiteral("<i>~%1</i>").arg(formatDuration(ns)) : formatDuration(ns); };
    QString rows = row(tr("Mean"), time(op->meanNs), exactDuration(op->meanNs)) + row(tr("Median"), time(op->p50Ns), exactDuration(op->p50Ns)) +
                   row(tr("95th percentile"), time(op->p95Ns), exactDuration(op->p95Ns)) + row(tr("Total"), time(op->totalNs), exactDuration(op->totalNs)) +
                   row(tr("Calls"), QLocale().toString(static_cast<qlonglong>(op->calls))) + row(tr("Share"), formatPercent(op->share));
    if (op->gflops > 0) rows += row(tr("Rate"), formatCount(op->gflops) + QStringLiteral(" GFLOP/s"));
    if (op->gbps > 0) rows += row(tr("Traffic"), formatCount(op->gbps) + QStringLiteral(" GB/s"));
    if (!op->fusedWith.empty()) rows += row(tr("Fused group"), text(op->fusedWith));
    QString html = section(estimate ? tr("Estimated share of the group") : tr("Measured"), rows);
    return html;
}

QString InspectorText::values(NodeId id) const {
    const ModelPtr model = m_document.model();
    if (!model || id.index() >= model->nodes().size()) return {};
    const auto types = m_document.types();
    const auto rowOf = [&](ValueId value, std::size_t i) {
        if (!value) return row(QString::number(i), QStringLiteral("<i>%1</i>").arg(tr("absent")));
        const Value& v = model->value(value);
        const ValueType& known = types && types->type(value).dtype != DType::Undefined ? types->type(value) : v.type;
        QString words = text(v.name);
        if (v.producer && v.producer != id) words = QStringLiteral("<a href='node:%1'>%2</a>").arg(v.producer.index()).arg(words);
        if (v.initializer) words += QStringLiteral(" <i>%1</i>").arg(tr("weight, %1").arg(formatBytes(static_cast<double>(v.initializer->bytes()))));
        return row(QString::number(i), words + QStringLiteral("<br>") + text(known.text()));
    };
    QString in;
    QString out;
    const Node& node = model->node(id);
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        in += rowOf(node.inputs[i], i);
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        out += rowOf(node.outputs[i], i);
    return section(tr("Inputs"), in) + section(tr("Outputs"), out);
}

QString InspectorText::attributes(NodeId id) const {
    const ModelPtr model = m_document.model();
    if (!model || id.index() >= model->nodes().size()) return {};
    QString rows;
    for (const Attribute& attribute : model->node(id).attributes)
        rows += row(text(attribute.name), attributeText(*model, attribute.value).toHtmlEscaped());
    return rows;
}

QString InspectorText::group(const Selection& selection) const {
    double total = 0;
    double share = 0;
    double flops = 0;
    QMap<QString, int> types;
    QMap<QString, int> devices;
    for (const quint32 index : selection.nodes()) {
        const int at = m_nodes.rowOf(index);
        if (at < 0) continue;
        ++types[m_nodes.row(at).opType];
        flops += m_nodes.row(at).flops;
        if (const OpStat* op = m_nodes.stat(index)) {
            total += op->totalNs;
            share += op->share;
        }
        if (const NodePlacement* place = m_nodes.placement(index); place != nullptr && !place->device.isEmpty()) ++devices[place->device];
    }
    const auto list = [this](const QMap<QString, int>& counts) {
        QString rows;
        for (auto it = counts.begin(); it != counts.end(); ++it)
            rows += row(it.key().toHtmlEscaped(), QLocale().toString(it.value()));
        return rows;
    };
    QString rows;
    if (m_document.hasRun()) rows += row(tr("Total time"), formatDuration(total), exactDuration(total)) + row(tr("Share"), formatPercent(share));
    if (flops > 0) rows += row(tr("FLOPs"), formatCount(flops), number(flops));
    return title(tr("%n node(s)", nullptr, static_cast<int>(selection.nodes().size())), tr("selected")) + section(tr("Together"), rows) +
           section(tr("Operators"), list(types)) + section(tr("Devices"), list(devices));
}

QString InspectorText::overview() const {
    if (!m_document.model() && !m_document.hasRun())
        return QStringLiteral("<p style='color:%1'>%2</p>")
            .arg(m_theme.color(Token::MutedText).name(), tr("Open a model; then select a node to see what it is, where it ran and why."));
    return title(m_document.displayName().toHtmlEscaped(), m_document.model() ? tr("model") : tr("session without its model file")) + runFacts() + modelFacts();
}

QString InspectorText::modelFacts() const {
    const ModelPtr model = m_document.model();
    if (!model) return {};
    const auto types = m_document.types();
    double flops = 0;
    double weights = 0;
    if (types)
        for (const Node& node : model->nodes())
            flops += nodeCost(*model, node, *types).flops;
    for (const Value& value : model->values())
        if (value.initializer) weights += static_cast<double>(value.initializer->bytes());
    QStringList opsets;
    for (const auto& [domain, version] : model->info().opsets)
        opsets << QStringLiteral("%1 %2").arg(text(domain)).arg(version);
    QString rows =
        row(tr("Nodes"), QLocale().toString(static_cast<qlonglong>(model->nodes().size()))) + row(tr("Weights"), formatBytes(weights), exactBytes(weights));
    if (flops > 0) rows += row(tr("FLOPs"), formatCount(flops), number(flops));
    rows += row(tr("Opsets"), opsets.join(QStringLiteral(", "))) + row(tr("Made by"), text(model->info().producer)) +
            row(tr("Loaded in"), formatDuration(m_document.importMs() * 1e6));
    const auto list = [&](const std::vector<ValueId>& ids) {
        QString out;
        for (const ValueId id : ids)
            if (id)
                out += row(text(model->value(id).name),
                           text((types && types->type(id).dtype != DType::Undefined ? types->type(id) : model->value(id).type).text()));
        return out;
    };
    return section(tr("Model"), rows) + section(tr("Inputs"), list(model->requiredInputs())) + section(tr("Outputs"), list(model->main().outputs));
}

}  // namespace hs::ui
