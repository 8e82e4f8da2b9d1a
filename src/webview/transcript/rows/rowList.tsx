import type { FunctionComponent } from 'preact';
import type { PanelItem } from '../../../protocol/panelState.ts';
import { HookRun } from '../../hooks/hookRun.tsx';
import { ReaderRun } from './readerRun.tsx';
import { type Row, rowsOf } from './rows.ts';

type ItemRow = FunctionComponent<{ readonly item: PanelItem }>;

/** Items as rows: what goes by in runs is gathered, each other is shown by `ItemRow`. */
export function RowList(props: { readonly items: readonly PanelItem[]; readonly ItemRow: ItemRow }) {
  return rowsOf(props.items).map(row => rowFor(row, props.ItemRow));
}

function rowFor(row: Row, ItemRow: ItemRow) {
  switch (row.kind) {
    case 'readers':
      return <ReaderRun key={row.id} id={row.id} calls={row.calls} />;
    case 'hooks':
      return <HookRun key={row.id} id={row.id} hooks={row.hooks} />;
    case 'item':
      return <ItemRow key={row.item.id} item={row.item} />;
  }
}
