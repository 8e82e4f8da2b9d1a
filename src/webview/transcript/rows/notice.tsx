import type { NoticeItem } from '../../../protocol/state.ts';
import { Icon } from '../../ui/icon.tsx';

export function Notice({ notice }: { readonly notice: NoticeItem }) {
  return (
    <div class={`notice ${notice.level}`}>
      <Icon name={notice.level} />
      <span>{notice.text}</span>
    </div>
  );
}
