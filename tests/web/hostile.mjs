// Pages that try to run something, to load something, or to get out of their frame. Each marks what it
// reached: window.reached, an alert, or a request to a host that does not exist.
const evil = "http://evil.example";
const run = "top.reached=1;alert(1)";

export const hostilePages = {
  "a script": `<script>${run}</script><p>Text</p>`,
  "a script from elsewhere": `<script src="${evil}/x.js"></script><p>Text</p>`,
  "a module": `<script type="module">import "${evil}/m.js"; ${run}</script><p>Text</p>`,
  "an error handler": `<img src="x" onerror="${run}"><p>Text</p>`,
  "a load handler": `<body onload="${run}" onpageshow="${run}"><p>Text</p>`,
  "a focus handler": `<input autofocus onfocus="${run}"><p>Text</p>`,
  "an animation handler": `<style>@keyframes x{}</style><p style="animation:x 1s" onanimationstart="${run}">Text</p>`,
  "a toggle handler": `<details open ontoggle="${run}"><summary>Text</summary>more</details>`,
  "a drawing": `<svg onload="${run}"><script>${run}</script><use href="${evil}/s.svg#x"></use><image href="${evil}/i.png"></image></svg><p>Text</p>`,
  "mixed namespaces": `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;"></table></mtext></math><p>Text</p>`,
  "a frame": `<iframe src="${evil}/frame"></iframe><iframe srcdoc="<script>${run}</script>"></iframe><p>Text</p>`,
  "an address that is a script": `<a href="javascript:${run}">click me, this is a long enough text to be kept as the content of the page</a><iframe src="javascript:${run}"></iframe>`,
  "objects": `<object data="${evil}/o.swf"><embed src="${evil}/e"></object><applet code="${evil}/a"></applet><p>Text</p>`,
  "a refresh": `<meta http-equiv="refresh" content="0;url=${evil}/refresh"><p>Text</p>`,
  "a base": `<base href="${evil}/"><img src="i.png"><link rel="stylesheet" href="s.css"><p>Text</p>`,
  "style sheets": `<link rel="stylesheet" href="${evil}/s.css"><style>@import "${evil}/i.css"; body{background:url(${evil}/b.png)} @font-face{font-family:x;src:url(${evil}/f.woff)} p{font-family:x;list-style-image:u\\72l(${evil}/l.png)}</style><p style="background:url('${evil}/p.png')">Text</p>`,
  "prefetching": `<link rel="preload" as="image" href="${evil}/p"><link rel="prefetch" href="${evil}/f"><link rel="dns-prefetch" href="${evil}"><link rel="icon" href="${evil}/icon"><p>Text</p>`,
  "media": `<video src="${evil}/v.mp4" poster="${evil}/p.png" autoplay></video><audio src="${evil}/a" autoplay></audio><picture><source srcset="${evil}/s.png"><img srcset="${evil}/t.png 2x" src="${evil}/u.png"></picture><p>Text</p>`,
  "a form": `<form id="f" action="${evil}/form" target="_top"><input name="q" value="v"><button formaction="javascript:${run}">Send</button></form><script>f.submit()</script><p>Text</p>`,
  "a template and a shadow root": `<div><template shadowrootmode="open"><img src="${evil}/s.png" onerror="${run}"><script>${run}</script></template></div><p>Text</p>`,
  "a title and metadata": `<title>&lt;img src=x onerror=${run}&gt;</title><meta name="author" content="<script>${run}</script>"><meta name="description" content='"><img src=${evil}/d onerror=${run}>'><p>Some text that is long enough to be kept as content of this page.</p>`,
  "Markdown and JSON": `<p>[x](javascript:${run}) &lt;img src=x onerror=${run}&gt; &lt;script&gt;${run}&lt;/script&gt; {"a":"</p><p>&lt;/pre&gt;&lt;script&gt;${run}&lt;/script&gt;</p>`,
  "an attribute of ours": `<p data-block="0" data-w1="0" class="selected why" id="result-panel" onclick="${run}">Text in an element that names itself as ours do.</p>`,
};
