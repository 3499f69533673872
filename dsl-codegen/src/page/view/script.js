// Tabs, and lighting up what was made from one place. The page is complete without this.
(() => {
  'use strict';
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  document.documentElement.classList.add('js');

  // Tabs. Each link of a strip leads to a panel, which is shown alone.
  const tabOf = new Map();
  const choose = tab => {
    for (const other of all('a', tab.parentElement)) {
      const chosen = other === tab;
      other.setAttribute('aria-selected', chosen);
      other.tabIndex = chosen ? 0 : -1;
      const panel = document.getElementById(other.hash.slice(1));
      panel.classList.toggle('on', chosen);
      if (chosen) paint(panel);
    }
  };
  for (const strip of all('.tabs')) {
    strip.setAttribute('role', 'tablist');
    const tabs = all('a', strip);
    for (const tab of tabs) {
      const panel = document.getElementById(tab.hash.slice(1));
      tab.setAttribute('role', 'tab');
      tab.setAttribute('aria-controls', panel.id);
      panel.setAttribute('role', 'tabpanel');
      tabOf.set(panel, tab);
    }
    strip.addEventListener('click', event => {
      const tab = event.target.closest('a');
      if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      choose(tab);
    });
    strip.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const at = tabs.indexOf(document.activeElement);
      if (!step || at < 0) return;
      event.preventDefault();
      const next = tabs[(at + step + tabs.length) % tabs.length];
      choose(next);
      next.focus();
    });
  }

  // A link into a panel shows the panel.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let panel = target.closest('.panel'); panel; panel = panel.parentElement.closest('.panel')) choose(tabOf.get(panel));
    const folded = target.closest('details');
    if (folded) folded.open = true;
    target.scrollIntoView({ block: 'nearest' });
  };
  addEventListener('hashchange', reveal);

  // Words, types and numbers in colour, when a listing is first seen.
  const common = '"(?:[^"\\\\\\n]|\\\\.)*"';
  const languages = {
    ir: `(?<note>//.*)|(?<name>\\bv\\d+\\b)|(?<word>\\b(?:program|loop|region|for|sink|merge|if|else|yield|return|nest|store|over|iterate|by|columns|pieces|of|in|lanes|lane)\\b|#\\d+)|(?<type>\\b(?:vec|dict|bool|[iu](?:8|16|32|64)|f(?:32|64))\\b)|(?<number>-?\\b\\d[\\w.]*)`,
    rust: `(?<note>//.*)|(?<word>\\b(?:fn|let|mut|if|else|for|in|while|loop|return|match|impl|struct|where|move|const|use|pub|as|break|continue|true|false)\\b)|(?<type>\\b(?:bool|[iu](?:8|16|32|64|size)|f(?:32|64)|[A-Z]\\w*)\\b)|(?<number>\\b\\d[\\w.]*)`,
    llvm: `(?<note>;.*)|${common}|(?<name>[%@!#][\\w.$-]+)|(?<type><\\d+ x \\w+>|\\b(?:i\\d+|double|float|ptr|void|label)\\b)|(?<word>\\b(?:define|declare|br|ret|call|tail|phi|load|store|getelementptr|select|switch|f?add|f?sub|f?mul|f?div|[if]cmp|insertelement|extractelement|shufflevector)\\b)|(?<number>-?\\b\\d[\\w.+]*)`,
    asm: `(?<note>#.*)|(?<name>%\\w+|\\.\\w+)|(?<word>^\\t[a-z]\\w*)|(?<number>\\$?-?\\b\\d\\w*)`,
  };
  languages.weld = languages.rust.replace('//.*', '/\\*.*?\\*/|(?://|#(?!\\[)).*').replace('loop|', '');
  const paint = within => {
    for (const code of all('.code:not([data-painted])', within)) {
      const shut = code.closest('.panel:not(.on)');
      if (shut && shut !== within) continue;
      code.dataset.painted = '';
      const pattern = new RegExp(languages[code.dataset.lang], 'g');
      const texts = [];
      const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const node of texts) {
        if (node.parentElement.closest('.loop, summary')) continue;
        const text = node.data, parts = [];
        let done = 0;
        for (const found of text.matchAll(pattern)) {
          const kind = Object.keys(found.groups).find(name => found.groups[name] !== undefined);
          if (!kind) continue;
          const span = document.createElement('span');
          span.className = 'x-' + kind;
          span.textContent = found[0];
          parts.push(text.slice(done, found.index), span);
          done = found.index + found[0].length;
        }
        if (done) node.replaceWith(...parts, text.slice(done));
      }
    }
  };

  // What has a place in common lights up together: under the pointer, with the focus, and after a click until the next.
  const byPlace = new Map();
  for (const element of all('[data-at]')) {
    for (const key of element.dataset.at.split(' ')) {
      if (!byPlace.has(key)) byPlace.set(key, []);
      byPlace.get(key).push(element);
    }
  }
  let lit = [], pinned = null;
  const lens = document.getElementById('lens');
  const light = source => {
    for (const element of lit) element.classList.remove('lit');
    const keys = source ? source.dataset.at.split(' ') : [];
    lit = [...new Set(keys.flatMap(key => byPlace.get(key) || []))];
    for (const element of lit) element.classList.add('lit');
    magnify(source && !source.closest('#source') ? document.getElementById('t' + keys[0]) : null);
  };
  // The line of a token that is out of sight.
  const magnify = token => {
    lens.hidden = true;
    if (!token) return;
    const box = token.getBoundingClientRect(), list = token.closest('.code').getBoundingClientRect();
    if (box.top >= Math.max(0, list.top) && box.bottom <= Math.min(innerHeight, list.bottom)) return;
    const line = token.closest('li'), before = document.createRange(), after = document.createRange();
    before.setStart(line, 0); before.setEndBefore(token);
    after.setStartAfter(token); after.setEnd(line, line.childNodes.length);
    const mark = document.createElement('mark');
    mark.textContent = token.textContent;
    const start = before.toString().trimStart();
    lens.replaceChildren(start.length > 50 ? '…' + start.slice(-50) : start, mark, after.toString());
    lens.hidden = false;
  };
  const about = event => event.target.closest('[data-at]');
  document.addEventListener('mouseover', event => light(about(event) || pinned));
  document.addEventListener('focusin', event => light(about(event) || pinned));
  document.addEventListener('click', event => {
    if (event.target.closest('.tabs')) return;
    const source = about(event);
    pinned = source && source !== pinned ? source : null;
    light(source || pinned);
  });
  document.addEventListener('keydown', event => { if (event.key === 'Escape') light(pinned = null); });

  for (const strip of all('.tabs')) choose(all('a', strip)[0]);
  paint(document.getElementById('source'));
  reveal();
})();
