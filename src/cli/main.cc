#include "cli/cli.h"

int main(int argc, char** argv) { return entente::cli::run(argc, argv); }
