import { t } from '../../protocol/language.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import type { Counts } from '../../protocol/values.ts';
import { usePanel } from '../panel/panel.ts';
import { usePathLabels } from '../panel/pathLabels.ts';
import { LinkButton } from '../ui/controls.tsx';
import { MiddleCut } from '../ui/words.tsx';
import { ChangeCounts } from './changeCounts.tsx';

interface DiffHeadProps {
  readonly call: PanelCall;
  readonly path: string;
  /** Without hunks that are left out. */
  readonly counts: Counts;
}

/** Title of an edit that is asked about. A path without room beside the verb gets a line, and is cut only there. */
export function DiffHead({ call, path: file, counts }: DiffHeadProps) {
  const { act } = usePanel();
  const labels = usePathLabels();
  const shown = labels.shown(file);
  const path = labels.pathIn(call) ?? call.title;
  const at = call.title.indexOf(path);
  return (
    <div class="ask-title diff-head">
      {call.title.slice(0, at)}
      <span class="diff-facts">
        <ChangeCounts {...counts} />
        <LinkButton
          onClick={() => act({ type: 'diff.open', callId: call.id })}
          title={t('Open the diff of {0}', shown)}
        >
          {t('Open diff')}
        </LinkButton>
      </span>
      <span class="diff-path" title={shown}>
        <MiddleCut text={path} />
      </span>
      {call.title.slice(at + path.length)}
    </div>
  );
}
