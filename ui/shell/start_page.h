// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;

namespace hs::ui {

class RecentFiles;
class Theme;

/// What the window shows with nothing open: how to begin, recent files, and standard models to try.
class StartPage : public QWidget {
    Q_OBJECT
public:
    StartPage(RecentFiles* recent, const Theme* theme, QWidget* parent = nullptr);
    void setDropTarget(bool hovering);  ///< A file is being dragged over the window.
    /// Shows that a zoo model is being written; an empty name ends it.
    void setBusy(const QString& zooName);

signals:
    void openRequested();
    void fileRequested(const QString& path);
    void zooRequested(const QString& name);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
    void fillRecent();
    void fillZoo();

    RecentFiles* m_recent;
    const Theme* m_theme;
    bool m_hovering = false;
    QString m_busy;
    QLabel* m_title;
    QLabel* m_lead;
    QPushButton* m_open;
    QLabel* m_drop;
    QLabel* m_recentTitle;
    QListWidget* m_recentList;
    QLabel* m_zooTitle;
    QListWidget* m_zooList;
};

}  // namespace hs::ui
