// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

int main(int argc, char** argv) {
    return hs::cli::runCommandLine(argc, argv);
}
