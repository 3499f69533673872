// What a reader does with the page. What was seen is left in the document as JSON.
(() => {
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const one = query => document.querySelector(query);
  const over = element => element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
  const key = (element, name) => { element.focus(); element.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })); };
  const is_shown = element => element.getClientRects().length > 0;
  const saw = {};

  const strip = one('#stages > .bar > .tabs');
  const panels = all('#stages > .panel');
  const chosen = () => strip.querySelector('[aria-selected=true]').textContent.trim();
  saw.tabs = all('a', strip).map(tab => {
    tab.click();
    const shown = panels.filter(is_shown);
    return { name: tab.textContent.trim(), shown: shown.length, lines: shown[0].innerText.trim().length > 0 && chosen() === tab.textContent.trim() };
  });
  all('a', strip)[0].click();
  key(all('a', strip)[0], 'ArrowRight');
  saw.after_right = chosen();
  key(document.activeElement, 'ArrowLeft');
  saw.after_left = chosen();
  saw.steps = all('.rail .tabs a').length;
  all('.rail .tabs a').at(-1)?.click();
  saw.step_shown = all('.rail .panel').filter(is_shown).length;

  const kinds = graph => Object.fromEntries(['input', 'loop', 'stored', 'result'].map(kind => [kind, all(`#${graph} .node.${kind}`).length]));
  saw.before = kinds('before');
  saw.after = kinds('after');

  // Text that is wider than its node, and nodes outside the drawing.
  saw.spilled = all('.graph .node').filter(node => {
    const rect = node.querySelector('rect').getBBox(), view = node.ownerSVGElement.viewBox.baseVal;
    const inside = (a, b) => a.x >= b.x - 1 && a.x + a.width <= b.x + b.width + 1 && a.y >= b.y - 1 && a.y + a.height <= b.y + b.height + 1;
    return !inside(rect, view) || !all('text', node).every(text => inside(text.getBBox(), rect));
  }).map(node => node.textContent);
  saw.overflow = document.documentElement.scrollWidth > innerWidth;

  const tokens = all('#source .loop');
  saw.tokens = tokens.map(token => token.textContent);
  const lit = query => all(`${query}.lit`).length;
  saw.lit_by_token = { loops: [], lines: true, drawn: true };
  for (const token of tokens) {
    over(token);
    saw.lit_by_token.loops.push(lit('.loops > li'));
    saw.lit_by_token.lines &&= lit('#panel-ir li') > 0;
    saw.lit_by_token.drawn &&= lit('#before .node') > 0 && lit('#after .node') > 0 && token.matches('.lit');
  }
  over(document.body);
  saw.lit_by_token.left = all('.lit').length;
  if (tokens.length) {
    over(one('.loops > li'));
    saw.lit_by_loop = tokens.filter(token => token.matches('.lit')).map(token => token.textContent);
    // A click keeps the light when the pointer goes, and another takes it away.
    saw.pinned = [1, 2].map(() => {
      one('.loops .facts').click();
      over(document.body);
      return all('.lit').length > 0;
    });
    saw.followed = ['#source a.loop', '.loops .title a', '#panel-optimised a.back[href="' + one('.loops .title a').hash + '"]'].map(link => {
      one(link).click();
      return location.hash;
    });
    one('.loops .jump').click();
    dispatchEvent(new HashChangeEvent('hashchange'));
    saw.opened = chosen();
  }

  const channels = colour => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
  const luminance = colour => {
    const [r, g, b] = channels(colour).map(c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = luminance(getComputedStyle(document.body).backgroundColor);
  saw.is_dark = paper < 0.2;
  saw.contrast = Math.min(...all('h1, h2, .about, .none, .facts li, .figure dt').map(element => {
    const pair = [luminance(getComputedStyle(element).color), paper].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
  }));
  saw.hurt = 'hurt' in window || all('img').length > 0;
  saw.source = all('#source .code li').map(line => line.textContent).join('\n');

  const pre = document.createElement('pre');
  pre.id = 'saw';
  pre.textContent = JSON.stringify(saw);
  document.body.append(pre);
})();
