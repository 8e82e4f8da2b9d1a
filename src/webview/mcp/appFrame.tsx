/*
 * Frame of an MCP page. The page is untrusted: it is isolated from the panel, and its messages are data. The host
 * answers its requests, except those about the frame, which are answered here.
 */

import { useComputed, useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { plural, t } from '../../protocol/language.ts';
import type { ShownApp } from '../../protocol/panel/messages.ts';
import { usePanel } from '../panel/panel.ts';
import { IconButton, LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useFrameFocus } from './useFrameFocus.ts';

interface AppFrameProps {
  readonly callId: string;
  readonly server: string;
  readonly app: ShownApp;
}

/** In pixels. */
const heights = { least: 48, first: 160, most: 480 };

type Size = 'inline' | 'fullscreen';
const isSize = (mode: unknown): mode is Size => mode === 'inline' || mode === 'fullscreen';
type Params = Readonly<Record<string, unknown>>;

export function AppFrame({ callId, server, app }: AppFrameProps) {
  const { act, store } = usePanel();
  const [size, setSize] = useState<Size>('inline');
  const [height, setHeight] = useState(heights.first);
  const [stopped, setStopped] = useState<'long' | 'focus'>();
  const frame = useRef<HTMLIFrameElement>(null);
  const asks = useComputed(() => store.session.value?.activity.status === 'waiting').value;
  const [isEntered, enter] = useFrameFocus(frame, () => setStopped('focus'));
  const goIn = () => {
    enter();
    frame.current?.contentWindow?.postMessage({ method: 'folio/enter' }, '*');
  };
  const isIn = isEntered && !asks;
  // For callbacks that outlive a render.
  const now = useRef({ asks, size, isIn });
  now.current = { asks, size, isIn };
  const isLarge = size === 'fullscreen' && !asks;
  const send = (message: object) =>
    frame.current?.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const context = () => ({ ...themeNow(), displayMode: now.current.size });
  const resize = (next: Size) => {
    now.current.size = next;
    setSize(next);
    send({ method: 'ui/notifications/host-context-changed', params: { displayMode: next } });
  };

  useEffect(() => {
    const limit = new MessageLimit(() => performance.now());
    const answer = (id: unknown, result: object) => send({ id, result });
    const onMessage = ({ source, data }: MessageEvent) => {
      const element = frame.current;
      if (!element || source !== element.contentWindow) return;
      const text = limit.pass(data);
      if (limit.isOver) return setStopped('long');
      if (text === undefined) return;
      const { method, id, params } = data as { method?: unknown; id?: unknown; params?: Params };
      switch (method) {
        case 'ui/initialize':
          return answer(id, {
            protocolVersion: '2026-01-26',
            hostInfo: { name: 'folio', title: 'Folio', version: '1' },
            hostCapabilities: {
              openLinks: {},
              downloadFile: {},
              serverTools: {},
              serverResources: {},
              message: { text: {} },
              updateModelContext: { text: {}, structuredContent: {} },
              sandbox: { csp: app.csp },
            },
            hostContext: {
              ...context(),
              availableDisplayModes: ['inline', 'fullscreen'],
              containerDimensions: { width: element.clientWidth, maxHeight: heights.most },
              locale: document.documentElement.lang,
              timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
              userAgent: 'folio',
              // Only the desktop uses this scheme.
              platform: location.protocol === 'vscode-webview:' ? 'desktop' : 'web',
              deviceCapabilities: {
                touch: navigator.maxTouchPoints > 0,
                hover: matchMedia('(hover)').matches,
              },
              // VS Code keeps the panel inside the safe area.
              safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
              toolInfo: app.given.tool && { tool: app.given.tool },
            },
          });
        case 'ui/notifications/initialized':
          send({ method: 'ui/notifications/tool-input', params: { arguments: app.given.arguments } });
          return send({ method: 'ui/notifications/tool-result', params: app.given.result });
        case 'ui/notifications/size-changed': {
          const wanted = Number(params?.height);
          // While a card asks, nothing may move under the pointer.
          if (wanted > 0 && !now.current.asks)
            setHeight(Math.round(Math.min(Math.max(wanted, heights.least), heights.most)));
          return;
        }
        case 'ui/request-display-mode':
          // A page resizes only while the user is in it.
          if (now.current.isIn && isSize(params?.mode)) resize(params.mode);
          return answer(id, { mode: now.current.size });
        case 'folio/leave':
          return element.closest<HTMLElement>('[data-card]')?.focus();
        default:
          if (id !== undefined) act({ type: 'panel.appSent', app: app.id, text });
      }
    };
    window.addEventListener('message', onMessage);
    const unfollow = followTheme(() =>
      send({ method: 'ui/notifications/host-context-changed', params: themeNow() }),
    );
    return () => {
      window.removeEventListener('message', onMessage);
      unfollow();
    };
  }, []);
  useSignalEffect(() => {
    const answer = store.appAnswer.value;
    if (answer?.app === app.id) frame.current?.contentWindow?.postMessage(JSON.parse(answer.text), '*');
  });

  const reload = (hosts: readonly string[]) => act({ type: 'panel.app', callId, hosts });
  const name = t('Page of the server {0}', server);
  return (
    <section class={isLarge ? 'server-app large' : 'server-app'} aria-label={name}>
      <div class="app-head">
        <Icon name="globe" />
        <span class="ellipsis app-name" title={name}>
          {name}
        </span>
        <IconButton icon="debug-restart" label={t('Reload: {0}', name)} onPress={() => reload([])} />
        <IconButton
          icon={isLarge ? 'fold' : 'screen-full'}
          label={isLarge ? t('Make smaller: {0}', name) : t('Make larger: {0}', name)}
          onPress={() => resize(isLarge ? 'inline' : 'fullscreen')}
        />
      </div>
      {app.hosts.length > 0 && (
        <div class="app-hosts">
          <span>
            {app.isGranted
              ? t('It may reach {0}.', app.hosts.join(', '))
              : plural(
                  app.hosts.length,
                  'one: It wants to reach {0} place: {1}. | other: It wants to reach {0} places: {1}.',
                  app.hosts.join(', '),
                )}
          </span>
          {!app.isGranted && (
            <LinkButton aria-label={t('Allow network: {0}', name)} onClick={() => reload(app.hosts)}>
              {t('Allow')}
            </LinkButton>
          )}
        </div>
      )}
      {stopped ? (
        <p class="app-hosts" role="alert">
          {stopped === 'long'
            ? t('The page was stopped, since it sent too much.')
            : t('The page was stopped, since it kept taking the focus.')}
        </p>
      ) : (
        <div class="app-box" style={isLarge ? undefined : { height: `${height}px` }}>
          <iframe
            ref={frame}
            class="app-page"
            title={name}
            src={app.address}
            sandbox="allow-scripts"
            referrerpolicy="no-referrer"
            inert={!isIn}
          />
          {!isIn && (
            <button
              type="button"
              class="app-cover"
              aria-label={t('Use: {0}', name)}
              title={asks ? t('Answer the question first') : t('Use the page; Escape leaves it')}
              disabled={asks}
              onClick={goIn}
            />
          )}
        </div>
      )}
    </section>
  );
}

/** Limits of messages from a page, so that it cannot slow down panel and host. */
const most = { characters: 1_000_000, inSecond: 200 };

class MessageLimit {
  private readonly now: () => number;
  private since = 0;
  private count = 0;
  /** True after too many messages or one that is too long. */
  isOver = false;

  /** @param now current time in milliseconds */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Returns the message as JSON; `undefined` if a limit is exceeded. */
  pass(message: unknown): string | undefined {
    const now = this.now();
    if (now - this.since >= 1_000) {
      this.since = now;
      this.count = 0;
    }
    this.isOver ||= ++this.count > most.inSecond;
    if (this.isOver || typeof message !== 'object' || message === null) return undefined;
    const text = toText(message);
    this.isOver = text.length > most.characters;
    return this.isOver ? undefined : text;
  }
}

function toText(message: object): string {
  try {
    return JSON.stringify(message);
  } catch {
    // Cyclic data or big integers are no messages of the protocol.
    return '{}';
  }
}

/* Maps VS Code's theme to the style variables of MCP Apps. */

/** Variables of the protocol by VS Code's variables. */
const variables: Readonly<Record<string, readonly string[]>> = {
  'sideBar-background': ['color-background-primary'],
  'editorWidget-background': ['color-background-secondary'],
  'input-background': ['color-background-tertiary'],
  'button-background': ['color-background-info', 'color-border-info'],
  'inputValidation-errorBackground': ['color-background-danger'],
  'inputValidation-warningBackground': ['color-background-warning'],
  foreground: ['color-text-primary'],
  descriptionForeground: ['color-text-secondary', 'color-text-tertiary'],
  disabledForeground: ['color-text-disabled'],
  'button-foreground': ['color-text-inverse'],
  'textLink-foreground': ['color-text-info'],
  errorForeground: ['color-text-danger', 'color-border-danger'],
  'editorWarning-foreground': ['color-text-warning', 'color-border-warning'],
  'testing-iconPassed': ['color-text-success', 'color-border-success'],
  'panel-border': ['color-border-primary', 'color-border-secondary'],
  focusBorder: ['color-ring-primary'],
  'font-family': ['font-sans'],
  'editor-font-family': ['font-mono'],
  'font-size': ['font-text-md-size'],
};

function themeNow() {
  const style = getComputedStyle(document.documentElement);
  const entries = Object.entries(variables).flatMap(([ours, theirs]) => {
    const value = style.getPropertyValue(`--vscode-${ours}`).trim();
    return value === '' ? [] : theirs.map(name => [`--${name}`, value]);
  });
  const isLight = /light/i.test(document.body.dataset.vscodeThemeKind ?? '');
  return { theme: isLight ? 'light' : 'dark', styles: { variables: Object.fromEntries(entries) } };
}

/** Calls `changed` for each change of the theme. Returns a function that stops this. */
function followTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['data-vscode-theme-kind'] });
  return () => observer.disconnect();
}
