/* Reads pasted, dropped or chosen pictures, recordings and PDFs as attachments. */

import type { Attachment } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import { mediaLimitBytes, mediaLimitMb } from '../../protocol/mediaLimit.ts';
import { readBase64 } from './pictureData.ts';

export const acceptedFiles = 'image/*,video/*,application/pdf';

/** Types that are sent unchanged. Other pictures become PNG. */
const sentTypes = ['image/png', 'image/jpeg', 'image/webp'];

interface FileReading {
  readonly attachments: readonly Attachment[];
  /** One sentence for the user: what was refused or changed, and what to do. */
  readonly sentence?: string;
}

/** Returns the files of a paste or drop. `onlyMedia`: ignores other files if there is text, which is meant then. */
export function filesIn(data: DataTransfer | null, which: 'all' | 'onlyMedia'): readonly File[] {
  const files = [...(data?.files ?? [])];
  return which === 'all' ? files : files.filter(({ type }) => kindOf(type) !== 'other');
}

/** Never rejects. A file that cannot be read is refused. */
export async function readFile(file: File): Promise<FileReading> {
  const name = file.name || t('Image');
  try {
    switch (kindOf(file.type)) {
      case 'other':
        return refuse(
          t("{0} was not attached. Type @ and its name, or drop it from VS Code's explorer.", name),
        );
      case 'document':
        return await readDocument(file, name);
      case 'recording': {
        const { readRecording } = await import('./recording.ts');
        return await readRecording(file, name);
      }
      case 'picture':
        return await readPicture(file, name);
    }
  } catch {
    // The file vanished or may not be read. The browser does not say which.
    return refuse(t('{0} was not attached. It cannot be read: try another copy.', name));
  }
}

type FileKind = 'picture' | 'recording' | 'document' | 'other';

function kindOf(type: string): FileKind {
  if (type === 'application/pdf') return 'document';
  if (type.startsWith('image/')) return 'picture';
  return type.startsWith('video/') ? 'recording' : 'other';
}

async function readDocument(file: File, name: string): Promise<FileReading> {
  if (file.size > mediaLimitBytes) {
    return refuse(
      t(
        '{0} was not attached. It is larger than {1} MB: attach only the pages that matter.',
        name,
        mediaLimitMb,
      ),
    );
  }
  const data = await readBase64(file);
  return { attachments: [{ kind: 'image', name, blob: { mimeType: file.type, data } }] };
}

async function readPicture(file: File, name: string): Promise<FileReading> {
  if (sentTypes.includes(file.type) && file.size <= mediaLimitBytes) {
    const data = await readBase64(file);
    return { attachments: [{ kind: 'image', name, blob: { mimeType: file.type, data } }] };
  }
  const { convertPicture } = await import('./drawPicture.ts');
  return await convertPicture({ mimeType: file.type, data: await readBase64(file) }, name);
}

function refuse(sentence: string): FileReading {
  return { attachments: [], sentence };
}
