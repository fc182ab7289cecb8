#include "corpus/framenet/xml.h"

#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/utf8.h"

namespace entente::framenet {

XmlFile::XmlFile(const std::string& path) : name_(path), text_(read_whole_file(path)) { parse(); }

XmlFile::XmlFile(std::string text, std::string name)
    : name_(std::move(name)), text_(std::move(text)) {
  parse();
}

void XmlFile::parse() {
  if (const std::size_t valid = utf8_prefix(text_); valid < text_.size())
    Source{text_, name_, 1}.fail(valid, "expected UTF-8");
  const pugi::xml_parse_result result =
      document_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) {
    Source{text_, name_, 1}.fail(static_cast<std::size_t>(result.offset),
                                 std::string("malformed XML: ") + result.description());
  }
}

pugi::xml_node XmlFile::root(const char* element) const {
  const pugi::xml_node node = document_.document_element();
  if (std::string_view(node.name()) != element) {
    fail(node, std::string("expected <") + element + ">, found <" + node.name() + ">");
  }
  return node;
}

void XmlFile::fail(pugi::xml_node where, const std::string& message) const {
  const std::ptrdiff_t offset = where.offset_debug();
  Source{text_, name_, 1}.fail(offset > 0 ? static_cast<std::size_t>(offset) : 0, message);
}

}  // namespace entente::framenet
