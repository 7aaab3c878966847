<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>hs::ui::AttributeText</name>
    <message numerus="yes">
        <source>subgraph %1 with %n node(s)</source>
        <translation>
            <numerusform>subgraph %1 with %n node</numerusform>
            <numerusform>subgraph %1 with %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::CounterStrip</name>
    <message numerus="yes">
        <source>%1: lowest %2, highest %3, %n sample(s)</source>
        <translation>
            <numerusform>%1: lowest %2, highest %3, %n sample</numerusform>
            <numerusform>%1: lowest %2, highest %3, %n samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::GraphView</name>
    <message numerus="yes">
        <source>%n node(s); %1</source>
        <translation>
            <numerusform>%n node; %1</numerusform>
            <numerusform>%n nodes; %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::InspectorText</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::MemoryPanel</name>
    <message numerus="yes">
        <source>%1 at %2: %3 in %n value(s)</source>
        <translation>
            <numerusform>%1 at %2: %3 in %n value</numerusform>
            <numerusform>%1 at %2: %3 in %n values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::ModelPanel</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s)</source>
        <translation>
            <numerusform>%1 of %n node</numerusform>
            <numerusform>%1 of %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::OperatorTable</name>
    <message numerus="yes">
        <source>%n node(s) selected</source>
        <translation>
            <numerusform>%n node selected</numerusform>
            <numerusform>%n nodes selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) shown</source>
        <translation>
            <numerusform>%n node shown</numerusform>
            <numerusform>%n nodes shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::QueryPanel</name>
    <message numerus="yes">
        <source>%n row(s) in %1</source>
        <translation>
            <numerusform>%n row in %1</numerusform>
            <numerusform>%n rows in %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::StatusLine</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::TimelineCanvas</name>
    <message numerus="yes">
        <source>%n track(s)</source>
        <translation>
            <numerusform>%n track</numerusform>
            <numerusform>%n tracks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>fused group of %n node(s), measured as one</source>
        <translation>
            <numerusform>fused group of %n node, measured as one</numerusform>
            <numerusform>fused group of %n nodes, measured as one</numerusform>
        </translation>
    </message>
</context>
</TS>
