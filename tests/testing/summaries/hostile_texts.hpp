#pragma once

#include <string>
#include <vector>

namespace batchscope::fixtures {

// Names that try to become something else: markup, script, style, an end of their element.
inline std::vector<std::string> hostile_texts() {
  return {"</script><img src=x onerror=alert(1)>",
          "</SCRIPT ><script>alert(1)</script>",
          "<!--<script>",
          "--><svg onload=alert(1)>",
          "<script>alert(1)</script>",
          "<img src=x onerror=alert(1)>",
          "<svg/onload=alert(1)>",
          "\"><script>alert(1)</script>",
          "' onmouseover='alert(1)",
          "\" onfocus=\"alert(1)\" autofocus=\"",
          "`onerror=alert(1)`",
          "javascript:alert(1)",
          "data:text/html,<script>alert(1)</script>",
          "<a href=javascript:alert(1)>x</a>",
          "<iframe srcdoc='<script>alert(1)</script>'>",
          "<object data=data:text/html,x>",
          "<style>*{display:none}</style>",
          "</style><script>alert(1)</script>",
          "</title><script>alert(1)</script>",
          "</textarea><b>",
          "<base href=http://example.com/>",
          "<meta http-equiv=refresh content=0>",
          "<form action=http://example.com><input>",
          "<math><mtext></mtext></math>",
          "<template><b></template>",
          "&lt;script&gt;alert(1)&lt;/script&gt;",
          "&#60;b&#62;",
          "&amp;&quot;&#39;",
          "]]><![CDATA[<b>",
          "{{constructor.constructor('alert(1)')()}}",
          "${alert(1)}",
          "\\u003cscript\\u003e",
          "\\\"};alert(1);//",
          "__proto__",
          "constructor",
          "line\xe2\x80\xa8separator\xe2\x80\xa9paragraph",
          "\xef\xbc\x9cscript\xef\xbc\x9e",
          "%3Cscript%3E",
          "a\tb\nc\rd",
          "<%= 7 * 7 %>",
          "{a|b}{c|d}",
          "\xff\xfe broken bytes \xc3"};
}

}  // namespace batchscope::fixtures
