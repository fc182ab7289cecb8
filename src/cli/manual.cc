#include "cli/manual.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/files.h"

namespace entente::cli {

namespace {

std::string full_name(const CLI::App& command, const char* between) {
  const CLI::App* parent = command.get_parent();
  return parent ? full_name(*parent, between) + between + command.get_name() : command.get_name();
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// Every command, parents first.
void each_command(const CLI::App& app, const std::function<void(const CLI::App&)>& take) {
  take(app);
  for (const CLI::App* command : app.get_subcommands({})) each_command(*command, take);
}

std::vector<std::string> long_and_short(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

bool takes_value(const CLI::Option& option) { return option.get_type_size() != 0; }

// ---- roff

std::string roff(std::string text) {
  text = replaced(std::move(text), "\\", "\\e");
  text = replaced(std::move(text), "-", "\\-");
  text = replaced(std::move(text), "\n.", "\n\\&.");
  text = replaced(std::move(text), "\n'", "\n\\&'");
  if (text.starts_with('.') || text.starts_with('\'')) text.insert(0, "\\&");
  return text;
}

std::string roff_option(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : long_and_short(option)) {
    names += (names.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
  }
  if (names.empty())
    names = "\\fI" + roff(option.get_name()) + "\\fR";
  else if (takes_value(option))
    names += " \\fI" + roff(option.get_type_name()) + "\\fR";
  std::string text = roff(option.get_description());
  if (!option.get_default_str().empty())
    text += " (default: " + roff(option.get_default_str()) + ")";
  return ".TP\n" + names + "\n" + (text.empty() ? "\\&" : text) + "\n";
}

}  // namespace

std::string man_page(const CLI::App& command, const std::string& version) {
  std::string page = ".TH \"" + roff(replaced(full_name(command, "-"), "\"", "")) +
                     "\" 1 \"\" \"entente " + version + "\"\n";
  page += ".SH NAME\n" + roff(full_name(command, "-")) + " \\- " + roff(command.get_description()) +
          "\n";
  const auto commands = command.get_subcommands({});
  page += ".SH SYNOPSIS\n.B " + roff(full_name(command, " ")) + "\n";
  page += std::string(commands.empty() ? "" : "\\fICOMMAND\\fR ") + "[\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) page += " [\\fI" + roff(option->get_name()) + "\\fR]";
  }
  page += "\n";
  if (!commands.empty()) {
    page += ".SH COMMANDS\n";
    for (const CLI::App* c : commands) {
      page += ".TP\n\\fB" + roff(c->get_name()) + "\\fR\n" + roff(c->get_description()) +
              " (see \\fB" + roff(full_name(*c, "-")) + "\\fR(1))\n";
    }
  }
  page += ".SH OPTIONS\n";
  for (const CLI::Option* option : command.get_options()) page += roff_option(*option);
  if (!command.get_footer().empty()) {
    page += ".SH NOTES\n.nf\n" + roff(command.get_footer()) + "\n.fi\n";
  }
  if (const CLI::App* parent = command.get_parent()) {
    page += ".SH SEE ALSO\n\\fB" + roff(full_name(*parent, "-")) + "\\fR(1)\n";
  }
  return page;
}

namespace {

// "solve|verify": subcommands, and "--method --json": options, of one command.
std::string words_of(const CLI::App& command, bool commands, bool options) {
  std::string out;
  if (commands) {
    for (const CLI::App* c : command.get_subcommands({}))
      out += (out.empty() ? "" : " ") + c->get_name();
  }
  if (options) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : long_and_short(*option))
        out += (out.empty() ? "" : " ") + name;
    }
  }
  return out;
}

std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// A function of the shell that sets `commands` and `options` of the command in its first argument.
std::string words_function(const std::string& cases) {
  return "_entente_words() {\n  case \"$1\" in\n" + cases + "    *) return 1 ;;\n  esac\n}\n";
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string cases;
  each_command(app, [&](const CLI::App& c) {
    cases += "    " + quoted(full_name(c, " ")) + ") commands=" + quoted(words_of(c, true, false)) +
             " options=" + quoted(words_of(c, false, true)) + " ;;\n";
  });
  return "# bash completion of entente; made by `entente manual`\n" + words_function(cases) +
         R"(_entente() {
  local path=entente commands options word i cur=${COMP_WORDS[COMP_CWORD]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    [[ $word == -* ]] && continue
    _entente_words "$path $word" && path="$path $word"
  done
  _entente_words "$path"
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$cur"; compgen -f -- "$cur")
  fi
}
complete -o filenames -F _entente entente
)";
}

std::string zsh_completion(const CLI::App& app) {
  auto entry = [](const std::string& name, const std::string& text) {
    return " " + quoted(replaced(name, ":", "\\:") + ":" + replaced(text, "\n", " "));
  };
  std::string cases;
  each_command(app, [&](const CLI::App& c) {
    std::string commands, options;
    for (const CLI::App* s : c.get_subcommands({}))
      commands += entry(s->get_name(), s->get_description());
    for (const CLI::Option* option : c.get_options()) {
      for (const std::string& name : long_and_short(*option))
        options += entry(name, option->get_description());
    }
    cases += "    " + quoted(full_name(c, " ")) + ")\n      commands=(" + commands +
             ")\n      options=(" + options + ") ;;\n";
  });
  return "#compdef entente\n# zsh completion of entente; made by `entente manual`\n" +
         words_function(cases) +
         R"(_entente() {
  local -a commands options
  local at=entente word
  for word in ${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && continue
    _entente_words "$at $word" && at="$at $word"
  done
  _entente_words "$at"
  if [[ $PREFIX == -* ]]; then
    _describe option options
  else
    (( ${#commands} )) && _describe command commands
    _files
  fi
}
_entente "$@"
)";
}

std::string fish_completion(const CLI::App& app) {
  std::string out = "# fish completion of entente; made by `entente manual`\n";
  each_command(app, [&](const CLI::App& c) {
    std::string condition;
    for (const CLI::App* at = &c; at->get_parent(); at = at->get_parent()) {
      condition = "__fish_seen_subcommand_from " + at->get_name() +
                  (condition.empty() ? "" : "; and " + condition);
    }
    const std::string when =
        " -n " + quoted(condition.empty() ? "__fish_use_subcommand" : condition);
    for (const CLI::App* s : c.get_subcommands({})) {
      out += "complete -c entente" + when + " -a " + quoted(s->get_name()) + " -d " +
             quoted(s->get_description()) + "\n";
    }
    for (const CLI::Option* option : c.get_options()) {
      if (long_and_short(*option).empty()) continue;
      out += "complete -c entente" + when;
      for (const std::string& name : option->get_snames()) out += " -s " + quoted(name);
      for (const std::string& name : option->get_lnames()) out += " -l " + quoted(name);
      if (takes_value(*option)) out += " -r";
      out += " -d " + quoted(replaced(option->get_description(), "\n", " ")) + "\n";
    }
  });
  return out;
}

void write_manual(const CLI::App& app, const std::string& version, const std::string& folder) {
  std::filesystem::create_directories(folder + "/man1");
  each_command(app, [&](const CLI::App& command) {
    write_whole_file(folder + "/man1/" + full_name(command, "-") + ".1",
                     man_page(command, version));
  });
  write_whole_file(folder + "/entente.bash", bash_completion(app));
  write_whole_file(folder + "/_entente", zsh_completion(app));
  write_whole_file(folder + "/entente.fish", fish_completion(app));
}

}  // namespace entente::cli
