// Manual pages and completions, made from the command line's own tables, as --help is.
//
//   entente manual DIR        writes DIR/man1/entente*.1, DIR/entente.bash, DIR/_entente, DIR/entente.fish
//
// `make install` puts them where man and the shells look.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace entente::cli {

// A page in roff of one command (the app itself: of all of it).
std::string man_page(const CLI::App& command, const std::string& version);
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

// All of them, each file whole.
void write_manual(const CLI::App& app, const std::string& version, const std::string& folder);

}  // namespace entente::cli
