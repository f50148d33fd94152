// SPDX-License-Identifier: Apache-2.0
// xml_check.h: is a text well-formed XML 1.0, and which elements does it have?
//
// Enough of XML for what perfgate writes: no CDATA, no processing instructions but the first line,
// no entities but the five of XML and numbers. Attributes have double quotes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/text/utf8.h"

namespace perfgate::sample {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;  // as they stand, escaped
  std::string parent;
  std::string text;  // directly inside, as it stands
};

struct XmlDocument {
  std::string problem;  // empty: well-formed
  std::vector<XmlElement> elements;

  std::vector<XmlElement> Named(const std::string& name) const {
    std::vector<XmlElement> found;
    for (const XmlElement& element : elements) {
      if (element.name == name) found.push_back(element);
    }
    return found;
  }
};

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  XmlDocument Read() {
    Skip("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    Skip("<!DOCTYPE html>\n");
    while (at_ < text_.size() && document_.problem.empty()) {
      text_[at_] == '<' ? Tag() : Text();
    }
    if (document_.problem.empty() && !open_.empty()) Fail("an element is not closed");
    return document_;
  }

 private:
  void Skip(std::string_view head) {
    if (text_.substr(at_).starts_with(head)) at_ += head.size();
  }

  void Fail(const std::string& what) {
    if (!document_.problem.empty()) return;
    document_.problem = what + " at byte " + std::to_string(at_) + ": " +
                        std::string(text_.substr(at_ < 40 ? 0 : at_ - 40, 100));
  }

  // One character of text or of an attribute.
  std::string Character() {
    const std::size_t length = utf8_length(text_, at_);
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (length == 0) Fail("a byte that is not UTF-8");
    if (byte < 0x20 && byte != '\n') Fail("a control character");
    if (text_[at_] == '<') Fail("an open bracket");
    std::string character(text_.substr(at_, length == 0 ? 1 : length));
    if (character == "&") {
      const std::size_t end = text_.find(';', at_);
      character = std::string(text_.substr(at_, end - at_ + 1));
      const bool known = character == "&lt;" || character == "&gt;" || character == "&amp;" ||
                         character == "&quot;" || character == "&#39;";
      if (!known) Fail("an unknown entity");
    }
    at_ += character.size();
    return character;
  }

  void Text() {
    const std::string character = Character();
    if (!open_.empty()) document_.elements[open_.back()].text += character;
  }

  std::string Name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '-' || text_[at_] == ':')) {
      ++at_;
    }
    if (begin == at_) Fail("no name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  void Tag() {
    ++at_;
    if (text_.substr(at_).starts_with("/")) {
      ++at_;
      const std::string name = Name();
      if (open_.empty() || document_.elements[open_.back()].name != name) {
        Fail("</" + name + "> closes nothing");
        return;
      }
      open_.pop_back();
      if (text_[at_++] != '>') Fail("no end of a tag");
      return;
    }
    XmlElement element;
    element.name = Name();
    if (!open_.empty()) element.parent = document_.elements[open_.back()].name;
    while (document_.problem.empty() && text_.substr(at_).starts_with(" ")) {
      ++at_;
      const std::string name = Name();
      if (!text_.substr(at_).starts_with("=\"")) Fail("no value of " + name);
      at_ += 2;
      std::string value;
      while (document_.problem.empty() && at_ < text_.size() && text_[at_] != '"') {
        value += Character();
      }
      ++at_;
      if (!element.attributes.emplace(name, value).second) Fail(name + " twice");
    }
    const bool empty = text_.substr(at_).starts_with("/>");
    document_.elements.push_back(element);
    if (!empty) open_.push_back(document_.elements.size() - 1);
    at_ += empty ? 2 : 1;
    if (text_[at_ - 1] != '>') Fail("no end of a tag");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;
  XmlDocument document_;
};

inline XmlDocument ReadXml(std::string_view text) { return XmlReader(text).Read(); }

}  // namespace perfgate::sample
