// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

namespace hs::ui {

class Language;
class MainWindow;
class Theme;

/// Lets the window live until `done` says so; false after `timeoutMs`.
bool waitFor(const std::function<bool()>& done, int timeoutMs);

/// Pictures of every view in both languages and both themes into `folder`; opens `path` (may be empty: the start page
/// only) and runs it where it is a model. Returns the program's exit status.
int takeShots(MainWindow& window, Theme& theme, Language& language, const QString& path, const QString& folder);

/// Opens a model, runs it, and writes session.hscope, window.png and operators.csv into `folder`. Exit status as of hscope.
int autoRun(MainWindow& window, const QString& path, const QString& folder);

}  // namespace hs::ui
