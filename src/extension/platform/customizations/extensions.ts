import type { StoredSecrets } from '../secrets.ts';

/** Where values that a user gave to extensions are stored. */
export interface ExtensionValues {
  readonly variables: ExtensionVariables;
  readonly secrets: StoredSecrets;
}

/** The `.env` file in an extension's folder. Both methods reject with a sentence. */
export interface ExtensionVariables {
  /** Empty if there is no file. @param folder absolute */
  read(folder: string): Promise<Readonly<Record<string, string>>>;
  /** Sets this variable and leaves the rest of the file as it is. */
  write(folder: string, name: string, value: string): Promise<void>;
}
