import './panel/pageLanguage.ts';
import './styles.ts';
import { render } from 'preact';
import type { FromPageTab, ToPageTab } from '../protocol/panel/pageTab.ts';
import { App } from './app.tsx';
import { connectHost } from './panel/host.ts';
import { PanelContext } from './panel/panel.ts';
import { createStore } from './panel/store.ts';
import { markdown } from './transcript/answer/markdownPart.ts';

const root = document.getElementById('root') ?? document.body;
if (root.dataset.shows === 'page')
  void import('./transcript/page/pageView.tsx').then(({ renderPageTab }) =>
    renderPageTab(connectHost<FromPageTab, ToPageTab>(), root),
  );
else showPanel();

function showPanel(): void {
  const host = connectHost();
  const store = createStore(host);
  render(
    <PanelContext.Provider value={{ store, act: host.act }}>
      <App />
    </PanelContext.Provider>,
    root,
  );
  host.act({ type: 'panel.ready' });
  // While the frame of an MCP page has the focus, keys must not decide here.
  const isFocused = () => document.hasFocus() && document.activeElement?.tagName !== 'IFRAME';
  const reportFocus = () => host.act({ type: 'panel.focused', isFocused: isFocused() });
  reportFocus();
  for (const event of ['focus', 'blur']) window.addEventListener(event, reportFocus);

  // The first view works without these parts, which upgrade it when loaded.
  requestAnimationFrame(() =>
    setTimeout(() => {
      void import('./ui/toolkit.ts').then(({ defineToolkit }) => defineToolkit());
      void markdown.load();
    }),
  );
}
