import type { FunctionComponent } from 'preact';
import type { PanelCall, PanelItem } from '../../../protocol/panel/panelState.ts';
import { HookGroup } from '../../hooks/hookGroup.tsx';
import { Card, CardRow } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useCardOpen } from '../../ui/useCardOpen.ts';
import { CallRow } from '../calls/callRow.tsx';
import { type Row, rowsOf, summarizeReadCalls } from './rows.ts';

type ItemRow = FunctionComponent<{ readonly item: PanelItem }>;

/** Shows items as rows. Runs of readers and hooks are grouped. */
export function RowList(props: { readonly items: readonly PanelItem[]; readonly ItemRow: ItemRow }) {
  return rowsOf(props.items).map(row => rowFor(row, props.ItemRow));
}

function rowFor(row: Row, ItemRow: ItemRow) {
  switch (row.kind) {
    case 'readers':
      return <ReaderRun key={row.id} id={row.id} calls={row.calls} />;
    case 'hooks':
      return <HookGroup key={row.id} id={row.id} hooks={row.hooks} />;
    case 'item':
      return <ItemRow key={row.item.id} item={row.item} />;
  }
}

/** Consecutive finished readers as one line. */
function ReaderRun({ id, calls }: { readonly id: string; readonly calls: readonly PanelCall[] }) {
  const [isOpen, toggle] = useCardOpen(id, false);
  const summary = summarizeReadCalls(calls);
  return (
    <Card class="call ok" name={summary}>
      <CardRow isOpen={isOpen} toggle={toggle}>
        <Icon name="check" class="row-status" />
        <span class="row-title ellipsis">{summary}</span>
      </CardRow>
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
