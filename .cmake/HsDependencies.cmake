# SPDX-License-Identifier: Apache-2.0
# Every third-party package the project uses is found here and nowhere else.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tl-expected REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Protobuf REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Qt6 REQUIRED COMPONENTS Core)
# No version here: oneDNN 3.x's config refuses a request for 2.x. The adapter in executors/onednn reads the header's.
find_package(dnnl QUIET)
find_package(OpenMP QUIET COMPONENTS CXX)  # how the number of oneDNN's threads is set
# What single operators of the reference executor need: without one, the operator says which package is missing.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(HS_RE2 QUIET IMPORTED_TARGET re2)
  pkg_check_modules(HS_PNG QUIET IMPORTED_TARGET libpng)
  pkg_check_modules(HS_JPEG QUIET IMPORTED_TARGET libjpeg)
  pkg_check_modules(HS_TIFF QUIET IMPORTED_TARGET libtiff-4)
  pkg_check_modules(HS_WEBP QUIET IMPORTED_TARGET libwebp)
  pkg_check_modules(HS_JPEG2000 QUIET IMPORTED_TARGET libopenjp2)
endif()
if(HS_BUILD_GUI)
  find_package(Qt6 REQUIRED COMPONENTS Gui Widgets PrintSupport Svg LinguistTools)
  find_package(QCustomPlotQt6 REQUIRED)  # after Widgets and PrintSupport: its targets name them
endif()
if(HS_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(Qt6 REQUIRED COMPONENTS Test)
endif()
