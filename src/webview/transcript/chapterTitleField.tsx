import { TitleField } from '../ui/titleField.tsx';

export interface ChapterTitleFieldProps {
  readonly number: number;
  readonly title: string;
  readonly onRename: (title: string) => void;
  /** Comes once, after `onRename` if that comes. */
  readonly onClose: (by: 'key' | 'leaving') => void;
}

/** Takes the place of a heading while it is renamed. */
export function ChapterTitleField({ number, title, onRename, onClose }: ChapterTitleFieldProps) {
  return (
    <span class="chapter-renaming">
      <span class="chapter-number">{number}</span>
      <TitleField label={`Title of chapter ${number}`} title={title} onRename={onRename} onClose={onClose} />
    </span>
  );
}
