// XML files of a FrameNet release, parsed by pugixml.
//
//   const XmlFile file(path);                       // Error: path:12:7: malformed XML: ...
//   for (pugi::xml_node fe : file.root("frame").children("FE")) attribute(fe, "name");
//
// Linear in the file. pugixml resolves no external entities: a file reads nothing but itself.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace entente::framenet {

class XmlFile {
 public:
  explicit XmlFile(const std::string& path);
  XmlFile(std::string text, std::string name);

  const std::string& name() const { return name_; }
  // The outermost element; an Error if it is not called `element`.
  pugi::xml_node root(const char* element) const;
  [[noreturn]] void fail(pugi::xml_node where, const std::string& message) const;

 private:
  void parse();

  std::string name_, text_;
  pugi::xml_document document_;
};

inline std::string attribute(pugi::xml_node node, const char* name) {
  return node.attribute(name).value();
}

}  // namespace entente::framenet
