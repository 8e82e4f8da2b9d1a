import { useLayoutEffect, useRef } from 'preact/hooks';
import { plainTerminalText } from '../../extension/base/terminalText.ts';
import { plural, t } from '../../protocol/language.ts';
import { LinkButton } from './controls.tsx';

interface OutputProps {
  readonly text: string;
  /** True to show only the tail, scrolled to its end. */
  readonly isLive?: boolean;
  /** True if the host has more than `text`. */
  readonly isMore?: boolean;
  /** Number of lines that the host cut from the middle. */
  readonly cutLines?: number;
  readonly openAll?: () => void;
}

const liveLines = 8;
const headLines = 6;
const tailLines = 14;

/** Output of a call; head and tail if long. */
export function Output({ text, isLive, isMore, cutLines = 0, openAll }: OutputProps) {
  const element = useScrollTabStop<HTMLPreElement>();
  useLayoutEffect(() => {
    if (isLive && element.current) element.current.scrollTop = element.current.scrollHeight;
  }, [text]);
  const lines = plainTerminalText(text).replace(/\n$/, '').split('\n');
  const left = lines.length - headLines - tailLines + cutLines;
  if (isLive)
    return (
      <pre class="output live" ref={element}>
        {lines.slice(-liveLines).join('\n')}
      </pre>
    );
  const isCut = left > 2;
  return (
    <>
      <pre class="output" ref={element}>
        {isCut ? lines.slice(0, headLines).join('\n') : lines.join('\n')}
        {isCut && (
          <span class="quiet">{`\n${plural(left, 'one: … {0} line … | other: … {0} lines …')}\n`}</span>
        )}
        {isCut && lines.slice(-tailLines).join('\n')}
      </pre>
      {openAll && (isCut || isMore) && <LinkButton onClick={openAll}>{t('Show all in editor')}</LinkButton>}
    </>
  );
}

export function CommandText({ command }: { readonly command: string }) {
  return (
    <pre class="command">
      <span class="quiet" aria-hidden="true">
        ${' '}
      </span>
      {command}
    </pre>
  );
}

/** Makes an element a tab stop while there is something to scroll. Browsers other than Safari do so anyway. */
export function useScrollTabStop<Box extends HTMLElement>() {
  const ref = useRef<Box>(null);
  // After each render, since what it shows may have grown.
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const observer = new ResizeObserver(() => {
      const scrolls = box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
      if (scrolls) box.tabIndex = 0;
      else box.removeAttribute('tabindex');
    });
    observer.observe(box);
    return () => observer.disconnect();
  });
  return ref;
}
