import { detectAll } from 'jschardet';

interface Candidate {
  /** The detector's names. */
  readonly names: readonly string[];
  /** VS Code's identifiers, in the order to try them. */
  readonly encodings: readonly string[];
  /** Prior probability, since a few words fit several encodings: the Windows default of each country comes first. */
  readonly weight: number;
}

/** The build keeps only these models of the detector (scripts/trimDetector.ts). */
const candidates: readonly Candidate[] = [
  { names: ['windows-1252'], encodings: ['windows1252'], weight: 1.5 },
  { names: ['shift_jis', 'cp932'], encodings: ['shiftjis'], weight: 1.25 },
  { names: ['gb18030'], encodings: ['gbk', 'gb18030'], weight: 1.25 },
  { names: ['big5', 'big5hkscs'], encodings: ['cp950', 'big5hkscs'], weight: 1.25 },
  { names: ['euc-kr', 'cp949'], encodings: ['euckr'], weight: 1.25 },
  { names: ['windows-1250'], encodings: ['windows1250'], weight: 1 },
  { names: ['windows-1251'], encodings: ['windows1251'], weight: 1 },
  { names: ['windows-1253'], encodings: ['windows1253'], weight: 1 },
  { names: ['windows-1254'], encodings: ['windows1254'], weight: 1 },
  { names: ['windows-1255'], encodings: ['windows1255'], weight: 1 },
  { names: ['windows-1256'], encodings: ['windows1256'], weight: 1 },
  { names: ['euc-jp'], encodings: ['eucjp'], weight: 0.5 },
  { names: ['koi8-r'], encodings: ['koi8r'], weight: 0.5 },
];

/** Bytes. More does not change the guess. */
const sample = 64 * 1024;

/** Possible encodings of a text, most likely first. */
export function guessEncodings(bytes: Uint8Array): readonly string[] {
  const options = { detectEncodings: candidates.flatMap(({ names }) => names), minimumThreshold: 0 };
  const likely = detectAll(bytes.subarray(0, sample), options).flatMap(({ encoding, confidence }) => {
    const found = candidates.find(({ names }) => names.includes(encoding?.toLowerCase() ?? ''));
    return found ? [{ found, score: confidence * found.weight }] : [];
  });
  likely.sort((one, other) => other.score - one.score);
  // Falls back to Windows-1252, which most programs assume.
  return [...new Set([...likely.flatMap(({ found }) => found.encodings), 'windows1252'])];
}
