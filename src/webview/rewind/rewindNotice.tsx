import { useComputed } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { RestoredFiles } from './restoredFiles.tsx';
import { describeRestored, describeRewound, filesNotRestored } from './rewinding.ts';

/** Notice about the newest rewind with *Undo*, until the next prompt. */
export function RewindNotice() {
  const { store, act } = usePanel();
  const rewound = useComputed(() => store.session.value?.rewound).value;
  if (!rewound) return null;
  const { scope, to, chapters, files } = rewound;
  const restored = describeRestored(files);
  const left = filesNotRestored(files);
  return (
    <div class="rewound quiet">
      <div class="rewound-line">
        <Icon name="discard" />
        <span class="rewound-text">
          {describeRewound(scope, to, chapters)}
          {restored && ` · ${restored}`}
        </span>
        <LinkButton onClick={() => act({ type: 'rewind.undo' })}>
          {to.kind === 'call' ? t('Undo') : scope === 'files' ? t('Redo changes') : t('Undo rewind')}
        </LinkButton>
      </div>
      {left.length > 0 && <RestoredFiles files={left} />}
    </div>
  );
}
