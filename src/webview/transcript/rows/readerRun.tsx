import type { PanelCall } from '../../../protocol/panelState.ts';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useCard } from '../../ui/useCard.ts';
import { CallRow } from '../calls/callRow.tsx';
import { summarizeReaders } from './rows.ts';

/** Finished readers that follow each other, as one line. */
export function ReaderRun({ id, calls }: { readonly id: string; readonly calls: readonly PanelCall[] }) {
  const [isOpen, toggle] = useCard(id, false);
  const summary = summarizeReaders(calls);
  return (
    <Card class="call ok" name={summary}>
      <button type="button" class="row" data-toggle aria-expanded={isOpen} onClick={toggle}>
        <Icon name="check" class="row-status" />
        <span class="row-title ellipsis">{summary}</span>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} class="row-twistie" />
      </button>
      {isOpen && (
        <div class="run-calls">
          {calls.map(call => (
            <CallRow key={call.id} call={call} />
          ))}
        </div>
      )}
    </Card>
  );
}
