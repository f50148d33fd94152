// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/page/page_style.h"

namespace perfgate::report {

// Dark is for screens alone, so that a page prints light whatever the reader's screen is.
std::string_view PageStyle() {
  return R"(
:root{color-scheme:light dark;--bg:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d7dce2;--card:#f6f8fa;
--base:#5f6b7a;--cand:#1f5fd0;--bad:#b3261e;--open:#8a5a00;--good:#1a6f37;--noise:#8a8f98}
@media screen and (prefers-color-scheme:dark){:root{--bg:#14171b;--ink:#e6e9ed;--soft:#a3acb6;
--line:#343a41;--card:#1d2126;--base:#9aa5b1;--cand:#78a9ff;--bad:#ff8a80;--open:#e3b04b;
--good:#6fd08c;--noise:#a0a6ae}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1440px;padding:16px 20px 48px;background:var(--bg);color:var(--ink);
font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:24px;line-height:1.25;margin:8px 0}
h2{font-size:20px;margin:40px 0 4px;padding-top:16px;border-top:2px solid var(--line)}
h3{font-size:16px;margin:28px 0 8px}
h4{font-size:14px;margin:16px 0 6px;font-weight:600}
p{margin:6px 0;max-width:100ch}
a{color:var(--cand)}
.soft{color:var(--soft)}
.bad{--tone:var(--bad)}.open{--tone:var(--open)}.good{--tone:var(--good)}.none{--tone:var(--soft)}
.tone{color:var(--tone);font-weight:600}
ul.suites{list-style:none;margin:12px 0;padding:0}
ul.suites li{padding:6px 12px;margin:4px 0;border-left:4px solid var(--tone);background:var(--card)}
.conclusion{padding:8px 12px;border-left:4px solid var(--tone);background:var(--card);max-width:none}
table{border-collapse:collapse;width:100%;font-size:13.5px}
th{text-align:left;font-weight:600;color:var(--soft);vertical-align:bottom}
th,td{padding:5px 8px;border-bottom:1px solid var(--line)}
td{vertical-align:top}
td.r,th.r{text-align:right;font-variant-numeric:tabular-nums}
td.name{font-family:ui-monospace,monospace;font-size:12.5px;min-width:12em}
td.note{min-width:11em;color:var(--soft)}
td.word{color:var(--tone);font-weight:600;overflow-wrap:normal}
svg.plot{width:170px;height:17px;display:block}
svg.plot text,svg.chart text{fill:var(--soft);font:11px system-ui,sans-serif}
.axis{width:170px;height:17px}
.grid{stroke:var(--line);fill:none}.zero{stroke:var(--soft);opacity:.5;fill:none}
.plot .tolerance{stroke:var(--bad);stroke-dasharray:3 2;fill:none}
.plot .ends{stroke:var(--tone);stroke-width:2.5;fill:none}
.plot .range{stroke:var(--tone);stroke-dasharray:2 2;fill:none}
.plot circle,.plot .beyond{fill:var(--tone);stroke:none}
.share{height:9px;min-width:1px;background:var(--base)}
.share.candidate{background:var(--cand);margin-top:2px}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(340px,100%),1fr));gap:12px}
figure{margin:0;padding:10px;background:var(--card);border:1px solid var(--line);border-radius:6px;
break-inside:avoid}
figcaption{font-size:13px;color:var(--soft)}
figure ol{font:12px/1.4 ui-monospace,monospace;margin:6px 0 0;padding-left:28px}
svg.chart{width:100%;max-width:520px;height:auto;display:block}
.mark{stroke-width:1.4}
.mark.baseline{fill:var(--card);stroke:var(--base)}.mark.candidate{fill:var(--cand);stroke:none}
.line{fill:none;stroke-width:1;opacity:.6}
.line.baseline{stroke:var(--base)}.line.candidate{stroke:var(--cand)}
.band{fill:var(--noise);opacity:.22}.band.interval{fill:var(--cand);opacity:.25}
.rule{fill:none;stroke-dasharray:4 3}
.rule.tolerance{stroke:var(--bad)}.rule.ceiling{stroke:var(--open)}
.rule.zero{stroke:var(--soft);stroke-dasharray:none}
ul.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 14px;margin:4px 0 0;padding:0;
font-size:12px;color:var(--soft)}
svg.key{width:18px;height:10px}
pre{padding:8px 12px;background:var(--card);white-space:pre-wrap;font-size:13px;margin:6px 0}
ol.claims{padding-left:24px;max-width:110ch}
ol.claims li{margin:4px 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;font-size:13px;margin:8px 0}
dt{color:var(--soft)}dd{margin:0}
summary{cursor:pointer;margin:14px 0 6px;font-weight:600}
.scroll{overflow-x:auto}
@media screen and (min-width:1101px){table.verdicts{table-layout:fixed}
table.verdicts th:nth-child(1){width:122px}table.verdicts th:nth-child(n+3){width:104px}
table.verdicts th:nth-child(5){width:92px}table.verdicts th:nth-child(6){width:146px}
table.verdicts th:nth-child(7){width:188px}table.verdicts th:nth-child(8){width:46px}
table.verdicts th:nth-child(9){width:240px}}
@media screen and (max-width:1100px){body{padding:12px 12px 40px}
table.cases thead{display:none}
table.cases,table.cases tbody{display:block}
table.cases tr{display:block;padding:8px 0;border-bottom:1px solid var(--line)}
table.cases td{display:block;border:0;padding:1px 0;text-align:left;white-space:normal;min-width:0}
table.cases td.r{display:inline-block;margin-right:14px}
table.cases td:empty{display:none}
table.cases td[data-of]::before{content:attr(data-of) " ";color:var(--soft)}
dl{grid-template-columns:1fr}dd{margin-bottom:6px}}
@page{size:A4 landscape;margin:12mm}
@media print{body{max-width:none;padding:0;font-size:10pt}
table{font-size:8.5pt}td.name{font-size:8pt;min-width:0}td.note{min-width:0}
th,td{padding:3px 4px}
svg.plot,.axis{width:112px}
table.verdicts{table-layout:fixed}
table.verdicts th:nth-child(1){width:104px}table.verdicts th:nth-child(n+3){width:74px}
table.verdicts th:nth-child(6){width:112px}table.verdicts th:nth-child(7){width:122px}
table.verdicts th:nth-child(8){width:30px}table.verdicts th:nth-child(9){width:180px}
thead{display:table-header-group}tr{break-inside:avoid}h2,h3,h4{break-after:avoid}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
details::details-content{content-visibility:visible;display:block;height:auto}
.figures{grid-template-columns:1fr 1fr 1fr}a{color:inherit}}
)";
}

}  // namespace perfgate::report
