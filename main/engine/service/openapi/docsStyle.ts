/** The style of the page of the management API: light and dark, wide and narrow. */
export const docsStyle = `
:root{color-scheme:light dark;--font:Inter,"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif;
--mono:"JetBrains Mono","SF Mono",Consolas,"DejaVu Sans Mono",monospace;
--bg:#f7f7f8;--panel:#fff;--line:#e4e4e8;--ink:#1b1b21;--ink2:#5b5b66;--accent:#3b5bdb;--soft:#eef1fe;
--get:#2156c4;--getS:#e3ecfd;--post:#0b7a55;--postS:#e0f4ec;--patch:#7a5c00;--patchS:#fbf0cf;--delete:#b3261e;--deleteS:#fbe5e3}
@media (prefers-color-scheme:dark){:root{--bg:#101014;--panel:#17171c;--line:#2c2c35;--ink:#ececf1;--ink2:#a6a6b3;
--accent:#8ea2ff;--soft:#20233a;--get:#86b0ff;--getS:#172a4d;--post:#5fd0a3;--postS:#12352a;--patch:#e8c268;--patchS:#382e12;
--delete:#ff9b93;--deleteS:#431d1a}}
*{box-sizing:border-box;margin:0}
html{scroll-padding-top:12px}
body{font:14px/1.55 var(--font);color:var(--ink);background:var(--bg);display:grid;grid-template-columns:260px minmax(0,1fr);-webkit-font-smoothing:antialiased}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
code,.path{font-family:var(--mono);font-size:12.5px}
.skip{position:absolute;left:-999px}.skip:focus{left:12px;top:12px;background:var(--panel);padding:6px 10px;border:1px solid var(--line);border-radius:7px}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:18px 12px 24px;border-right:1px solid var(--line);background:var(--panel);font-size:13px}
nav .name{display:flex;gap:8px;align-items:center;font-weight:650;letter-spacing:-.01em;padding:0 8px 6px}
nav .name i{width:16px;height:16px;border-radius:4px 4px 2px 2px;background:linear-gradient(180deg,var(--accent) 0 45%,transparent 45% 58%,var(--accent) 58%)}
nav h2{font-size:11.5px;font-weight:550;color:var(--ink2);padding:14px 8px 4px;letter-spacing:.02em}
nav ul,main ul{list-style:none;padding:0}
nav li a{display:flex;gap:8px;align-items:center;min-height:28px;padding:2px 8px;border-radius:6px;color:var(--ink2)}
nav li a:hover{background:var(--soft);color:var(--ink);text-decoration:none}
nav li span{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
main{padding:28px 36px 80px;max-width:1040px;width:100%}
h1{font-size:24px;font-weight:650;letter-spacing:-.02em}
main h2{font-size:17px;font-weight:620;letter-spacing:-.01em;margin:40px 0 2px;text-transform:none}
main h2::first-letter,nav h2::first-letter{text-transform:uppercase}
h3{font-size:12px;font-weight:600;color:var(--ink2);margin:16px 0 6px}
h3 small{font-weight:400;font-size:12px}
.lead{color:var(--ink2);max-width:70ch;margin:8px 0 0}
.facts{display:flex;flex-wrap:wrap;gap:8px;margin-top:14px}
.chip{display:inline-flex;align-items:center;height:26px;padding:0 10px;border:1px solid var(--line);border-radius:7px;background:var(--panel);font-size:12.5px;color:var(--ink2)}
.card{background:var(--panel);border:1px solid var(--line);border-radius:10px;margin-top:10px;overflow:hidden}
summary{display:flex;align-items:center;gap:12px;min-height:44px;padding:8px 14px;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"";flex:none;width:6px;height:6px;border:solid var(--ink2);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg)}
[open]>summary::before{transform:rotate(45deg)}
summary:hover{background:var(--soft)}
summary .what{color:var(--ink2);margin-left:auto;text-align:right}
.body{padding:2px 16px 16px;border-top:1px solid var(--line)}
.method{flex:none;font:600 11px/20px var(--mono);width:58px;text-align:center;border-radius:5px}
nav .method{font-size:9.5px;line-height:17px;width:46px}
.get{color:var(--get);background:var(--getS)}.post{color:var(--post);background:var(--postS)}
.patch{color:var(--patch);background:var(--patchS)}.delete{color:var(--delete);background:var(--deleteS)}
td a,h3 a,p a{text-decoration:underline;text-underline-offset:2px}
table{width:100%;border-collapse:collapse;font-size:13px}
th{font-weight:500;color:var(--ink2);font-size:12px;text-align:left;padding:4px 14px 4px 0}
td{padding:7px 14px 7px 0;border-top:1px solid var(--line);vertical-align:top}
td{overflow-wrap:anywhere}td:first-child{min-width:11em;padding-right:24px}td:last-child{padding-right:0}
.type,.more{color:var(--ink2)}.more{display:block;font-size:12.5px}
.must,.may{font-size:12px;margin-left:6px}.must{color:var(--delete)}.may{color:var(--ink2)}
.values{display:block;max-width:60ch;font-size:12px;line-height:1.7}
.schema{padding:14px 16px}.schema h3{margin-top:0;font:600 13px var(--mono);color:var(--ink)}
@media (max-width:760px){td:first-child{min-width:12em;padding-right:10px}.must,.may{display:block;margin:0}body{display:block}nav{position:static;height:auto;border:0;border-bottom:1px solid var(--line)}nav ul,nav h2{display:none}
main{padding:20px 16px 60px}summary{flex-wrap:wrap;gap:6px 10px}summary .what{margin:0;flex-basis:100%;text-align:left;padding-left:18px}}
@media print{nav{display:none}body{display:block}}
`;
