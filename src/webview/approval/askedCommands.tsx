import { showHidden } from '../../extension/base/hiddenText.ts';
import type { AskedCommand } from '../../protocol/permissions.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

/** What a command line would run, one command below the other: a pipe can hide the one that matters. */
export function AskedCommands({ commands }: { readonly commands: readonly AskedCommand[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, also by key.
    <ul class="asked-commands" aria-label="Commands in this line" tabIndex={0}>
      {commands.map(({ text, verdict, reason }, index) => (
        <li key={index} class={`asked-command ${verdict}`}>
          <Icon name={verdicts[verdict].icon} />
          <div>
            <code>{showHidden(text)}</code>
            <p class="quiet">
              <span class="verdict">{verdicts[verdict].word}</span>
              {reason && ` · ${reason}`}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

const verdicts: Readonly<
  Record<AskedCommand['verdict'], { readonly icon: IconName; readonly word: string }>
> = {
  reads: { icon: 'check', word: 'Reads' },
  unknown: { icon: 'question', word: 'Not known' },
  dangerous: { icon: 'warning', word: 'Dangerous' },
};
