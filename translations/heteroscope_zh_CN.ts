<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Reason</name>
    <message>
        <source>plugin was built for ABI %1, this program has ABI %2: rebuild the plugin</source>
        <translation>插件是为 ABI %1 构建的，而本程序的 ABI 为 %2：请重新构建插件</translation>
    </message>
    <message>
        <source>library %1 is missing (needed for %2): %3</source>
        <translation>缺少库 %1（用于 %2）：%3</translation>
    </message>
    <message>
        <source>disabled in the settings</source>
        <translation>已在设置中禁用</translation>
    </message>
    <message>
        <source>the plugin file could not be loaded: %1</source>
        <translation>无法加载插件文件：%1</translation>
    </message>
    <message>
        <source>the plugin&apos;s metadata is not valid: %1</source>
        <translation>插件的元数据无效：%1</translation>
    </message>
    <message>
        <source>no device of this kind was found: %1</source>
        <translation>未找到此类设备：%1</translation>
    </message>
    <message>
        <source>not part of this build: %1</source>
        <translation>此版本未包含：%1</translation>
    </message>
    <message>
        <source>probing for devices failed: %1</source>
        <translation>探测设备失败：%1</translation>
    </message>
    <message>
        <source>%1 is not offered by this machine: %2</source>
        <translation>本机不提供 %1：%2</translation>
    </message>
    <message>
        <source>executor %1 has no kernel for %2 with attribute %3</source>
        <translation>执行器 %1 没有支持属性 %3 的 %2 内核</translation>
    </message>
    <message>
        <source>executor %1 could not compile %2: %3</source>
        <translation>执行器 %1 无法编译 %2：%3</translation>
    </message>
    <message>
        <source>executor %1 has no kernel for %2 on %3</source>
        <translation>执行器 %1 没有 %2 在 %3 上的内核</translation>
    </message>
    <message>
        <source>executor %1 needs static shapes for %2</source>
        <translation>执行器 %1 要求 %2 的形状为静态</translation>
    </message>
    <message>
        <source>executor %1 has no kernel for operator %2</source>
        <translation>执行器 %1 没有算子 %2 的内核</translation>
    </message>
    <message>
        <source>executor %1 does not support the shape of %2: %3</source>
        <translation>执行器 %1 不支持 %2 的形状：%3</translation>
    </message>
    <message>
        <source>highest-ranked executor that supports the node</source>
        <translation>支持该节点的执行器中优先级最高者</translation>
    </message>
    <message>
        <source>control flow is driven by the host</source>
        <translation>控制流由主机驱动</translation>
    </message>
    <message>
        <source>device %1 takes part only when it is named</source>
        <translation>设备 %1 仅在被指定时参与</translation>
    </message>
    <message>
        <source>its outputs are not used, or equal its input</source>
        <translation>其输出未被使用，或与其输入相同</translation>
    </message>
    <message>
        <source>no executor of device %1 supports it: runs on %2</source>
        <translation>设备 %1 的执行器均不支持：改在 %2 上运行</translation>
    </message>
    <message>
        <source>computed once while planning: its result does not depend on the inputs&apos; values</source>
        <translation>在规划阶段计算一次：其结果与输入的值无关</translation>
    </message>
    <message>
        <source>no executor supports operator %1 (domain %2)</source>
        <translation>没有执行器支持算子 %1（域 %2）</translation>
    </message>
    <message>
        <source>pinned by rule %1 of the config</source>
        <translation>由配置的第 %1 条规则固定</translation>
    </message>
    <message>
        <source>needs no kernel: its output is its input under another shape</source>
        <translation>无需内核：其输出就是换了形状的输入</translation>
    </message>
</context>
<context>
    <name>hs::ui::ActionSet</name>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open an ONNX model or a recorded session</source>
        <translation>打开 ONNX 模型或已记录的会话</translation>
    </message>
    <message>
        <source>&amp;Save session as…</source>
        <translation>会话另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>Keep a copy of the recorded session</source>
        <translation>保存已记录会话的副本</translation>
    </message>
    <message>
        <source>&amp;Export table as CSV…</source>
        <translation>将表格导出为 CSV(&amp;E)…</translation>
    </message>
    <message>
        <source>Write the operators table with exact values</source>
        <translation>写出含精确数值的算子表格</translation>
    </message>
    <message>
        <source>Save &amp;picture…</source>
        <translation>保存图片(&amp;P)…</translation>
    </message>
    <message>
        <source>Write the view in front as a PNG picture</source>
        <translation>将当前视图写为 PNG 图片</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Close the model and its session</source>
        <translation>关闭模型及其会话</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run the model and record a session</source>
        <translation>运行模型并记录会话</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Stop the run; what was recorded stays</source>
        <translation>停止运行；已记录的内容会保留</translation>
    </message>
    <message>
        <source>Show &amp;graph</source>
        <translation>显示计算图(&amp;G)</translation>
    </message>
    <message>
        <source>The model as a graph</source>
        <translation>以图的形式显示模型</translation>
    </message>
    <message>
        <source>Show &amp;timeline</source>
        <translation>显示时间线(&amp;T)</translation>
    </message>
    <message>
        <source>When each device did what</source>
        <translation>各设备在何时做了什么</translation>
    </message>
    <message>
        <source>Show &amp;operators</source>
        <translation>显示算子(&amp;O)</translation>
    </message>
    <message>
        <source>Every node with what was measured</source>
        <translation>每个节点及其实测数据</translation>
    </message>
    <message>
        <source>Show &amp;query</source>
        <translation>显示查询(&amp;Q)</translation>
    </message>
    <message>
        <source>Ask the session with SQL</source>
        <translation>用 SQL 查询会话</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>适应窗口(&amp;F)</translation>
    </message>
    <message>
        <source>Show the whole in the view in front</source>
        <translation>在当前视图中显示全部</translation>
    </message>
    <message>
        <source>&amp;Search nodes</source>
        <translation>搜索节点(&amp;S)</translation>
    </message>
    <message>
        <source>Put the cursor into the search field</source>
        <translation>将光标放入搜索框</translation>
    </message>
    <message>
        <source>Colour by &amp;time</source>
        <translation>按耗时着色(&amp;T)</translation>
    </message>
    <message>
        <source>Paint the graph&apos;s nodes by their measured time</source>
        <translation>按实测耗时为计算图的节点着色</translation>
    </message>
    <message>
        <source>Show &amp;weights and constants</source>
        <translation>显示权重和常量(&amp;W)</translation>
    </message>
    <message>
        <source>Draw weights and constants in the graph</source>
        <translation>在计算图中绘制权重和常量</translation>
    </message>
    <message>
        <source>Select &amp;nothing</source>
        <translation>取消选择(&amp;N)</translation>
    </message>
    <message>
        <source>Clear the selection in every view</source>
        <translation>清除所有视图中的选择</translation>
    </message>
    <message>
        <source>&amp;Command palette…</source>
        <translation>命令面板(&amp;C)…</translation>
    </message>
    <message>
        <source>Find any command by typing</source>
        <translation>输入文字查找任意命令</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>Light or dark as the system is</source>
        <translation>随系统使用浅色或深色</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>As the s&amp;ystem</source>
        <translation>跟随系统(&amp;Y)</translation>
    </message>
    <message>
        <source>The system&apos;s language</source>
        <translation>系统语言</translation>
    </message>
    <message>
        <source>Reset &amp;layout</source>
        <translation>重置布局(&amp;L)</translation>
    </message>
    <message>
        <source>Put every dock back to its place</source>
        <translation>将所有面板恢复到原位</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>List every shortcut</source>
        <translation>列出所有快捷键</translation>
    </message>
    <message>
        <source>&amp;About Heteroscope</source>
        <translation>关于 Heteroscope(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licences</source>
        <translation>版本与许可</translation>
    </message>
</context>
<context>
    <name>hs::ui::AttributeText</name>
    <message numerus="yes">
        <source>subgraph %1 with %n node(s)</source>
        <translation>
            <numerusform>子图 %1，含 %n 个节点</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::Banner</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>The whole message is in the log</source>
        <translation>完整消息见日志</translation>
    </message>
</context>
<context>
    <name>hs::ui::CatalogModel</name>
    <message>
        <source>not built</source>
        <translation>未构建</translation>
    </message>
    <message>
        <source>invalid metadata</source>
        <translation>元数据无效</translation>
    </message>
    <message>
        <source>ABI mismatch</source>
        <translation>ABI 不匹配</translation>
    </message>
    <message>
        <source>dependency missing</source>
        <translation>缺少依赖</translation>
    </message>
    <message>
        <source>load failed</source>
        <translation>加载失败</translation>
    </message>
    <message>
        <source>probe failed</source>
        <translation>探测失败</translation>
    </message>
    <message>
        <source>no device</source>
        <translation>没有设备</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>已禁用</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Devices are unknown</source>
        <translation>设备未知</translation>
    </message>
    <message>
        <source>%1 GFLOP/s f32</source>
        <translation>%1 GFLOP/s f32</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>ready, simulated</source>
        <translation>就绪（模拟）</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Found by plugin</source>
        <translation>由插件发现</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Measured peak, float32</source>
        <translation>实测峰值（float32）</translation>
    </message>
    <message>
        <source>%1 GFLOP/s</source>
        <translation>%1 GFLOP/s</translation>
    </message>
    <message>
        <source>Measured bandwidth</source>
        <translation>实测带宽</translation>
    </message>
    <message>
        <source>Executors, best first</source>
        <translation>执行器（优先者在前）</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>plugin %1</source>
        <translation>插件 %1</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Device or plugin</source>
        <translation>设备或插件</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Details, or why and what to do</source>
        <translation>详情，或原因与对策</translation>
    </message>
</context>
<context>
    <name>hs::ui::CentralTabs</name>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Graph of the model</source>
        <translation>模型的计算图</translation>
    </message>
    <message>
        <source>Timeline of the run</source>
        <translation>运行的时间线</translation>
    </message>
</context>
<context>
    <name>hs::ui::CommandPalette</name>
    <message>
        <source>Type a command</source>
        <translation>输入命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>hs::ui::CounterStrip</name>
    <message>
        <source>%1: nothing was recorded yet</source>
        <translation>%1：尚无记录</translation>
    </message>
    <message numerus="yes">
        <source>%1: lowest %2, highest %3, %n sample(s)</source>
        <translation>
            <numerusform>%1：最低 %2，最高 %3，共 %n 个采样</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::CounterText</name>
    <message>
        <source>Memory (RSS)</source>
        <translation>内存 (RSS)</translation>
    </message>
    <message>
        <source>Peak memory (RSS)</source>
        <translation>内存峰值 (RSS)</translation>
    </message>
    <message>
        <source>CPU use, process</source>
        <translation>CPU 使用率，进程</translation>
    </message>
    <message>
        <source>CPU clock</source>
        <translation>CPU 频率</translation>
    </message>
    <message>
        <source>CPU use, core %1</source>
        <translation>CPU 使用率，核心 %1</translation>
    </message>
    <message>
        <source>Energy, %1</source>
        <translation>能耗，%1</translation>
    </message>
    <message>
        <source>Temperature, %1</source>
        <translation>温度，%1</translation>
    </message>
</context>
<context>
    <name>hs::ui::DevicesPanel</name>
    <message>
        <source>Counters of the run</source>
        <translation>本次运行的计数器</translation>
    </message>
    <message>
        <source>Look for devices again</source>
        <translation>重新查找设备</translation>
    </message>
    <message>
        <source>Devices and plugins</source>
        <translation>设备与插件</translation>
    </message>
    <message>
        <source>%1: %2 busy</source>
        <translation>%1：忙碌 %2</translation>
    </message>
    <message>
        <source>This run recorded no counters.</source>
        <translation>本次运行没有记录计数器。</translation>
    </message>
    <message>
        <source>Run a model to see utilisation, clocks and memory here.</source>
        <translation>运行模型后，这里会显示利用率、频率和内存。</translation>
    </message>
</context>
<context>
    <name>hs::ui::DocumentWorker</name>
    <message>
        <source>Shapes are unknown: %1</source>
        <translation>形状未知：%1</translation>
    </message>
    <message>
        <source>The model file %1 of this session is gone: everything but the graph is shown. Put it beside the session to see the graph.</source>
        <translation>此会话的模型文件 %1 已不存在：除计算图外均可查看。将该文件放到会话旁边即可看到计算图。</translation>
    </message>
    <message>
        <source>The model file %1 has changed since this session was recorded: its graph may not match the session.</source>
        <translation>模型文件 %1 在记录此会话之后已被修改：其计算图可能与会话不符。</translation>
    </message>
</context>
<context>
    <name>hs::ui::FileCommands</name>
    <message>
        <source>Open a model or a session</source>
        <translation>打开模型或会话</translation>
    </message>
    <message>
        <source>Models and sessions (*.onnx *.hscope)</source>
        <translation>模型与会话 (*.onnx *.hscope)</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Sessions (*.hscope)</source>
        <translation>会话 (*.hscope)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Save session as</source>
        <translation>会话另存为</translation>
    </message>
    <message>
        <source>Export table as CSV</source>
        <translation>将表格导出为 CSV</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>The model %1 could not be made: %2</source>
        <translation>无法生成模型 %1：%2</translation>
    </message>
</context>
<context>
    <name>hs::ui::GraphView</name>
    <message>
        <source>Model graph</source>
        <translation>模型计算图</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>未打开模型</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>nothing selected</source>
        <translation>未选择任何节点</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s); %1</source>
        <translation>
            <numerusform>%n 个节点；%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Select all %1 nodes</source>
        <translation>选择所有 %1 节点</translation>
    </message>
    <message>
        <source>Show in all views</source>
        <translation>在所有视图中显示</translation>
    </message>
    <message>
        <source>Close body</source>
        <translation>收起子图</translation>
    </message>
    <message>
        <source>Open body</source>
        <translation>展开子图</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Fit graph	F</source>
        <translation>适应窗口	F</translation>
    </message>
    <message>
        <source>Find …	/</source>
        <translation>查找…	/</translation>
    </message>
    <message>
        <source>Show constants	C</source>
        <translation>显示常量	C</translation>
    </message>
    <message>
        <source>Colour by time	H</source>
        <translation>按耗时着色	H</translation>
    </message>
    <message>
        <source>Laying out the graph …</source>
        <translation>正在布局计算图…</translation>
    </message>
    <message>
        <source>Open a model to see its graph</source>
        <translation>打开模型以查看其计算图</translation>
    </message>
    <message>
        <source>(unnamed)</source>
        <translation>（未命名）</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>From the enclosing graph</source>
        <translation>来自外层图</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>……另有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>in</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>out</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>device %1, executor %2</source>
        <translation>设备 %1，执行器 %2</translation>
    </message>
    <message>
        <source>asked for %1: %2</source>
        <translation>请求的是 %1：%2</translation>
    </message>
    <message>
        <source>computed once, while planning</source>
        <translation>在规划阶段计算一次</translation>
    </message>
    <message>
        <source>not needed: its output is another value</source>
        <translation>无需执行：其输出等同于另一个值</translation>
    </message>
    <message>
        <source>&lt;i&gt;~%1 a call (its share of a fused group, estimated)&lt;/i&gt;</source>
        <translation>&lt;i&gt;每次调用 ~%1（在融合组中所占份额，估计值）&lt;/i&gt;</translation>
    </message>
    <message>
        <source>%1 a call</source>
        <translation>每次调用 %1</translation>
    </message>
    <message>
        <source>The layout was cancelled. Press F to start it again</source>
        <translation>布局已取消。按 F 可重新开始</translation>
    </message>
</context>
<context>
    <name>hs::ui::InspectorPanel</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
</context>
<context>
    <name>hs::ui::InspectorText</name>
    <message>
        <source>FLOPs</source>
        <translation>浮点运算量</translation>
    </message>
    <message>
        <source>Bytes moved</source>
        <translation>访存量</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Opset</source>
        <translation>算子集版本</translation>
    </message>
    <message>
        <source>In subgraph</source>
        <translation>所在子图</translation>
    </message>
    <message>
        <source>From function</source>
        <translation>来自函数</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>请求的设备</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Executor</source>
        <translation>执行器</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>放置</translation>
    </message>
    <message>
        <source>Requested %1, runs on %2: %3</source>
        <translation>请求 %1，实际在 %2 上运行：%3</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>95th percentile</source>
        <translation>第 95 百分位</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>算力</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Fused group</source>
        <translation>融合组</translation>
    </message>
    <message>
        <source>Estimated share of the group</source>
        <translation>在融合组中的估计份额</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>缺省</translation>
    </message>
    <message>
        <source>weight, %1</source>
        <translation>权重，%1</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Total time</source>
        <translation>总时间</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>selected</source>
        <translation>已选择</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Open a model; then select a node to see what it is, where it ran and why.</source>
        <translation>打开模型，再选择一个节点，即可查看它是什么、在哪里运行以及原因。</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>session without its model file</source>
        <translation>会话（缺少模型文件）</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Opsets</source>
        <translation>算子集</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>生成工具</translation>
    </message>
    <message>
        <source>Loaded in</source>
        <translation>加载用时</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>99th percentile</source>
        <translation>第 99 百分位</translation>
    </message>
    <message>
        <source>Sum of operators</source>
        <translation>算子时间之和</translation>
    </message>
    <message>
        <source>Gap (idle, launch, copy, wait)</source>
        <translation>间隙（空闲、启动、拷贝、等待）</translation>
    </message>
    <message>
        <source>Overlap of operators</source>
        <translation>算子重叠</translation>
    </message>
    <message>
        <source>Cost of profiling</source>
        <translation>剖析开销</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 样本/秒</translation>
    </message>
    <message>
        <source>Peak memory of the process</source>
        <translation>进程内存峰值</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Measured runs</source>
        <translation>测量次数</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>加载模型</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>首次运行</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>90th percentile</source>
        <translation>第 90 百分位</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>One iteration</source>
        <translation>单次迭代</translation>
    </message>
    <message>
        <source>Once a run</source>
        <translation>每次运行一次</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>记录方式</translation>
    </message>
    <message>
        <source>Wall time, mean</source>
        <translation>实际耗时（平均）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>hs::ui::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
</context>
<context>
    <name>hs::ui::MainWindow</name>
    <message>
        <source>there is no such file</source>
        <translation>文件不存在</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>Heteroscope</source>
        <translation>Heteroscope</translation>
    </message>
    <message>
        <source>%1 – Heteroscope</source>
        <translation>%1 – Heteroscope</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开的文件(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>About Heteroscope</source>
        <translation>关于 Heteroscope</translation>
    </message>
    <message>
        <source>&lt;b&gt;Heteroscope %1&lt;/b&gt;&lt;br&gt;Profile, place and tune neural networks on mixed hardware.&lt;br&gt;&lt;br&gt;The window is under the GPL 3.0 or later (it uses QCustomPlot), the engine under the Apache License 2.0. Made with Qt %2.</source>
        <translation>&lt;b&gt;Heteroscope %1&lt;/b&gt;&lt;br&gt;在异构硬件上剖析、放置和调优神经网络。&lt;br&gt;&lt;br&gt;窗口程序采用 GPL 3.0 或更高版本许可（使用了 QCustomPlot），引擎采用 Apache 2.0 许可。使用 Qt %2 构建。</translation>
    </message>
    <message>
        <source>Opening was cancelled</source>
        <translation>已取消打开</translation>
    </message>
</context>
<context>
    <name>hs::ui::MemoryPanel</name>
    <message>
        <source>Measured over time</source>
        <translation>随时间的实测值</translation>
    </message>
    <message>
        <source>Planned over steps</source>
        <translation>按步骤的规划值</translation>
    </message>
    <message>
        <source>What the memory plot shows</source>
        <translation>内存图显示的内容</translation>
    </message>
    <message>
        <source>Memory plot</source>
        <translation>内存图</translation>
    </message>
    <message>
        <source>%1 measured</source>
        <translation>%1 实测</translation>
    </message>
    <message>
        <source>%1 planned arena</source>
        <translation>%1 规划的内存池</translation>
    </message>
    <message>
        <source>%1 planned, live</source>
        <translation>%1 规划的存活量</translation>
    </message>
    <message>
        <source>Run the model to see its memory over time.</source>
        <translation>运行模型后，这里会显示内存随时间的变化。</translation>
    </message>
    <message>
        <source>This run recorded no allocations.</source>
        <translation>本次运行没有记录内存分配。</translation>
    </message>
    <message>
        <source>The plan of this run has no values of known size.</source>
        <translation>本次运行的规划中没有大小已知的值。</translation>
    </message>
    <message>
        <source>Step of the plan</source>
        <translation>规划的步骤</translation>
    </message>
    <message numerus="yes">
        <source>%1 at %2: %3 in %n value(s)</source>
        <translation>
            <numerusform>%1，%2：%n 个值共 %3</numerusform>
        </translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>%1 planned peak</source>
        <translation>%1 规划峰值</translation>
    </message>
    <message>
        <source>%1: measured peak %2; planned: weights ~%3, live values ~%4, arena ~%5</source>
        <translation>%1：实测峰值 %2；规划：权重 ~%3，存活值 ~%4，内存池 ~%5</translation>
    </message>
</context>
<context>
    <name>hs::ui::ModelPanel</name>
    <message>
        <source>Search nodes ( / )</source>
        <translation>搜索节点（ / ）</translation>
    </message>
    <message>
        <source>Search nodes</source>
        <translation>搜索节点</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>未打开模型</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s)</source>
        <translation>
            <numerusform>%1 / %n 个节点</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hs::ui::NodeTableModel</name>
    <message>
        <source>executed</source>
        <translation>已执行</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>已融合</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>eliminated</source>
        <translation>已消除</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未到达</translation>
    </message>
    <message>
        <source>%1 (this node&apos;s share of the fused group, by cost)</source>
        <translation>%1（此节点按代价在融合组中所占份额）</translation>
    </message>
    <message>
        <source>%1 % of the time of all operators</source>
        <translation>占全部算子时间的 %1 %</translation>
    </message>
    <message>
        <source>%1 floating-point operations</source>
        <translation>%1 次浮点运算</translation>
    </message>
    <message>
        <source>%1 GFLOP/s</source>
        <translation>%1 GFLOP/s</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>requested %1, runs on %2: %3</source>
        <translation>请求 %1，实际在 %2 上运行：%3</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Executor</source>
        <translation>执行器</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>P95</source>
        <translation>P95</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>浮点运算量</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Fused group</source>
        <translation>融合组</translation>
    </message>
    <message>
        <source>Subgraph</source>
        <translation>子图</translation>
    </message>
</context>
<context>
    <name>hs::ui::OpTypeModel</name>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Mean per call</source>
        <translation>每次调用平均</translation>
    </message>
</context>
<context>
    <name>hs::ui::OperatorTable</name>
    <message>
        <source>Filter: any word, or op:Conv device:cpu name:layer1 executor:reference outcome:fused</source>
        <translation>筛选：任意词，或 op:Conv device:cpu name:layer1 executor:reference outcome:fused</translation>
    </message>
    <message>
        <source>Filter the operators</source>
        <translation>筛选算子</translation>
    </message>
    <message>
        <source>Group by type</source>
        <translation>按类型分组</translation>
    </message>
    <message>
        <source>One row per operator type, with sums; double click picks its nodes</source>
        <translation>每种算子类型一行并求和；双击可选中其节点</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Operator types</source>
        <translation>算子类型</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) selected</source>
        <translation>
            <numerusform>已选择 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) shown</source>
        <translation>
            <numerusform>显示 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n 次调用</numerusform>
        </translation>
    </message>
    <message>
        <source>sum %1, %2 of operator time</source>
        <translation>合计 %1，占算子时间的 %2</translation>
    </message>
</context>
<context>
    <name>hs::ui::QueryPanel</name>
    <message>
        <source>Slowest nodes</source>
        <translation>最慢的节点</translation>
    </message>
    <message>
        <source>Time by operator type</source>
        <translation>按算子类型统计时间</translation>
    </message>
    <message>
        <source>How busy each device was</source>
        <translation>各设备的忙碌程度</translation>
    </message>
    <message>
        <source>Nodes that were not executed</source>
        <translation>未执行的节点</translation>
    </message>
    <message>
        <source>Time of each iteration</source>
        <translation>每次迭代的时间</translation>
    </message>
    <message>
        <source>Runs of this session</source>
        <translation>此会话的运行</translation>
    </message>
    <message>
        <source>Examples to start from</source>
        <translation>可供参考的示例</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Run the query (Ctrl+Enter)</source>
        <translation>执行查询 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Reads the session only; it cannot be changed from here. Tables: run, node, step, span, counter, memory_event; views: op_stats, device_stats, transfer_stats.</source>
        <translation>只读取会话，无法在此修改。表：run、node、step、span、counter、memory_event；视图：op_stats、device_stats、transfer_stats。</translation>
    </message>
    <message>
        <source>There is no session yet: run the model, or open a .hscope file.</source>
        <translation>尚无会话：请运行模型，或打开 .hscope 文件。</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>正在查询…</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) in %1</source>
        <translation>
            <numerusform>%n 行，用时 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>more rows exist: narrow the query</source>
        <translation>还有更多行：请缩小查询范围</translation>
    </message>
</context>
<context>
    <name>hs::ui::RangePanel</name>
    <message>
        <source>Statistics of the selected time range</source>
        <translation>所选时间范围的统计</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>跨度</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>95th percentile</source>
        <translation>第 95 百分位</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>Clear the range (Esc)</source>
        <translation>清除范围 (Esc)</translation>
    </message>
    <message>
        <source>Operators with most time in the range</source>
        <translation>范围内耗时最多的算子</translation>
    </message>
    <message>
        <source>Counting …</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>Nothing ran in this range</source>
        <translation>此范围内没有任何运行</translation>
    </message>
    <message>
        <source>Only the first %L1 spans of the range were read</source>
        <translation>仅读取了范围内的前 %L1 个跨度</translation>
    </message>
</context>
<context>
    <name>hs::ui::RunBar</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>How many measured runs</source>
        <translation>测量的运行次数</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>How many runs before measuring</source>
        <translation>测量前的运行次数</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Size of the symbolic batch dimension; auto leaves it to the model</source>
        <translation>符号批维度的大小；自动表示由模型决定</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Threads of the processor; auto uses all cores</source>
        <translation>处理器线程数；自动表示使用全部核心</translation>
    </message>
    <message>
        <source>Batch auto</source>
        <translation>批大小 自动</translation>
    </message>
    <message>
        <source>Threads auto</source>
        <translation>线程 自动</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Devices to run on</source>
        <translation>用于运行的设备</translation>
    </message>
    <message>
        <source>Automatic: the best single device</source>
        <translation>自动：最佳的单个设备</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>正在查找设备…</translation>
    </message>
    <message>
        <source>No device is known yet</source>
        <translation>尚未发现设备</translation>
    </message>
    <message>
        <source>Auto device</source>
        <translation>自动选择设备</translation>
    </message>
    <message>
        <source>predicted ~%1</source>
        <translation>预测 ~%1</translation>
    </message>
    <message>
        <source>measured median</source>
        <translation>实测中位数</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>run %1 of %2</source>
        <translation>第 %1 次，共 %2 次</translation>
    </message>
</context>
<context>
    <name>hs::ui::RunController</name>
    <message>
        <source>Run started: process %1</source>
        <translation>运行已开始：进程 %1</translation>
    </message>
    <message>
        <source>Run finished: median %1. Session: %2</source>
        <translation>运行完成：中位数 %1。会话：%2</translation>
    </message>
    <message>
        <source>The run was stopped. What it recorded until then is shown.</source>
        <translation>运行已停止。显示的是停止之前记录的内容。</translation>
    </message>
    <message>
        <source>The run failed with status %1. The log may say more.</source>
        <translation>运行失败，状态码 %1。日志中可能有更多信息。</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>运行失败：%1</translation>
    </message>
    <message>
        <source>The runner was ended by signal %1 before the run was done. What was recorded until then is shown; nothing else is lost. Run again, with fewer threads or a smaller batch if memory ran out.</source>
        <translation>运行程序在完成之前被信号 %1 终止。显示的是此前记录的内容，其他数据没有丢失。请重新运行；如果是内存不足，请减少线程数或批大小。</translation>
    </message>
    <message>
        <source>The run could not start: %1.</source>
        <translation>无法开始运行：%1。</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
</context>
<context>
    <name>hs::ui::RunFacts</name>
    <message>
        <source>per iteration: wall %1 = operators %2 + gap %3 (idle, launch, copy, wait)</source>
        <translation>每次迭代：实际耗时 %1 = 算子 %2 + 间隙 %3（空闲、启动、拷贝、等待）</translation>
    </message>
    <message>
        <source>per iteration: wall %1 = operators %2 − overlap %3</source>
        <translation>每次迭代：实际耗时 %1 = 算子 %2 − 重叠 %3</translation>
    </message>
    <message>
        <source>every span of every iteration</source>
        <translation>所有迭代的全部跨度</translation>
    </message>
    <message>
        <source>%1 events dropped</source>
        <translation>丢弃了 %1 个事件</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>Median: %1</source>
        <translation>中位数：%1</translation>
    </message>
    <message>
        <source>Recorded: %1</source>
        <translation>记录：%1</translation>
    </message>
    <message>
        <source>Cost of profiling: %1</source>
        <translation>剖析开销：%1</translation>
    </message>
    <message>
        <source>sampled: spans of 1 iteration in %1 (%2 of %3), statistics of all</source>
        <translation>抽样：每 %1 次迭代记录 1 次的跨度（%3 次中的 %2 次），统计涵盖全部</translation>
    </message>
</context>
<context>
    <name>hs::ui::RunListModel</name>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>被中断</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
</context>
<context>
    <name>hs::ui::RunnerCall</name>
    <message>
        <source>The runner &quot;hscope&quot; was not found next to this program. Build or install it, or name it in the HSCOPE environment variable.</source>
        <translation>在本程序旁未找到运行程序 “hscope”。请构建或安装它，或在环境变量 HSCOPE 中指定其路径。</translation>
    </message>
    <message>
        <source>hscope ended with status %1.</source>
        <translation>hscope 以状态码 %1 结束。</translation>
    </message>
</context>
<context>
    <name>hs::ui::RunnerProcess</name>
    <message>
        <source>the runner &quot;hscope&quot; was not found next to this program</source>
        <translation>在本程序旁未找到运行程序 “hscope”</translation>
    </message>
</context>
<context>
    <name>hs::ui::SearchBar</name>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>上一个匹配 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一个匹配 (Enter)</translation>
    </message>
    <message>
        <source>Close search (Esc)</source>
        <translation>关闭搜索 (Esc)</translation>
    </message>
    <message>
        <source>Find node by name or type</source>
        <translation>按名称或类型查找节点</translation>
    </message>
    <message>
        <source>Find node</source>
        <translation>查找节点</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>hs::ui::ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Mouse wheel</source>
        <translation>鼠标滚轮</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>以指针为中心缩放</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>Move the picture</source>
        <translation>移动画面</translation>
    </message>
    <message>
        <source>Click, Ctrl+click</source>
        <translation>单击，Ctrl+单击</translation>
    </message>
    <message>
        <source>Select a node, add it to the selection</source>
        <translation>选择节点，将其加入选择</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Zoom in, zoom out</source>
        <translation>放大，缩小</translation>
    </message>
    <message>
        <source>Earlier, later</source>
        <translation>向前，向后</translation>
    </message>
    <message>
        <source>Shift+drag</source>
        <translation>Shift+拖动</translation>
    </message>
    <message>
        <source>Measure a stretch of time</source>
        <translation>测量一段时间</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Right click on the header</source>
        <translation>右键单击表头</translation>
    </message>
    <message>
        <source>Choose the columns</source>
        <translation>选择显示的列</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>Show the node in the graph</source>
        <translation>在计算图中显示该节点</translation>
    </message>
    <message>
        <source>Move along the time axis</source>
        <translation>沿时间轴移动</translation>
    </message>
    <message>
        <source>Zoom to the measured stretch</source>
        <translation>缩放到所测量的时间段</translation>
    </message>
</context>
<context>
    <name>hs::ui::StartPage</name>
    <message>
        <source>Heteroscope</source>
        <translation>Heteroscope</translation>
    </message>
    <message>
        <source>Open an ONNX model to see what it is, run it to see where the time and the memory went, and find out why each node ran where it ran.</source>
        <translation>打开 ONNX 模型了解其结构，运行它查看时间和内存的去向，并弄清每个节点为何在该处运行。</translation>
    </message>
    <message>
        <source>Open a model or a session…</source>
        <translation>打开模型或会话…</translation>
    </message>
    <message>
        <source>or drop an .onnx or .hscope file here</source>
        <translation>或将 .onnx 或 .hscope 文件拖放到此处</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Standard models to try, one click each</source>
        <translation>可一键试用的标准模型</translation>
    </message>
    <message>
        <source>Standard models</source>
        <translation>标准模型</translation>
    </message>
    <message>
        <source>Files that you open will be listed here.</source>
        <translation>您打开的文件将列在这里。</translation>
    </message>
    <message>
        <source>making the model…</source>
        <translation>正在生成模型…</translation>
    </message>
</context>
<context>
    <name>hs::ui::StatusLine</name>
    <message>
        <source>Laying out the graph…</source>
        <translation>正在布局计算图…</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>Inferring shapes of %1…</source>
        <translation>正在推断 %1 的形状…</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>layout cancelled: F starts it again</source>
        <translation>布局已取消：按 F 重新开始</translation>
    </message>
    <message>
        <source>run %1: %2</source>
        <translation>运行 %1：%2</translation>
    </message>
    <message>
        <source>recorded: %1</source>
        <translation>记录：%1</translation>
    </message>
    <message>
        <source>cost of profiling: %1</source>
        <translation>剖析开销：%1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Do not open this file</source>
        <translation>不打开此文件</translation>
    </message>
    <message>
        <source>Keep the layout as it is</source>
        <translation>保持当前布局</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>hs::ui::TimelineCanvas</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message numerus="yes">
        <source>%n track(s)</source>
        <translation>
            <numerusform>%n 条轨道</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>fused group of %n node(s), measured as one</source>
        <translation>
            <numerusform>%n 个节点组成的融合组，作为整体测量</numerusform>
        </translation>
    </message>
    <message>
        <source>start %1</source>
        <translation>开始 %1</translation>
    </message>
    <message>
        <source>duration %1</source>
        <translation>时长 %1</translation>
    </message>
    <message>
        <source>of its own %1</source>
        <translation>自身 %1</translation>
    </message>
    <message>
        <source>%1, iteration %2</source>
        <translation>%1，第 %2 次迭代</translation>
    </message>
    <message>
        <source>%1, outside the measured iterations</source>
        <translation>%1，不在测量的迭代之内</translation>
    </message>
</context>
<context>
    <name>hs::ui::TimelinePainter</name>
    <message>
        <source>Iterations</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
</context>
<context>
    <name>hs::ui::TimelineView</name>
    <message>
        <source>Scroll tracks</source>
        <translation>滚动轨道</translation>
    </message>
    <message>
        <source>Run the model to see its timeline</source>
        <translation>运行模型以查看其时间线</translation>
    </message>
    <message>
        <source>Reading the session …</source>
        <translation>正在读取会话…</translation>
    </message>
    <message>
        <source>Waiting for the first events …</source>
        <translation>正在等待首批事件…</translation>
    </message>
    <message>
        <source>This run recorded no events</source>
        <translation>本次运行没有记录事件</translation>
    </message>
    <message>
        <source>The runner ended before the run was over: this is what it had recorded</source>
        <translation>运行程序在运行结束之前已终止：以下是它已记录的内容</translation>
    </message>
    <message>
        <source>More events than can be drawn: zoom in to see all of them</source>
        <translation>事件太多，无法全部绘制：放大即可查看全部</translation>
    </message>
</context>
</TS>
