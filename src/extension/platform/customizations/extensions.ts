import type { KeptSecrets } from '../secrets.ts';

/** Where the values stand that a user gave to their extensions. */
export interface ExtensionValues {
  readonly variables: ExtensionVariables;
  readonly secrets: KeptSecrets;
}

/** The file `.env` in the folder of an extension. Both reject with a sentence. */
export interface ExtensionVariables {
  /** Empty when there is no such file. @param folder absolute */
  read(folder: string): Promise<Readonly<Record<string, string>>>;
  /** Changes this one and leaves the rest of the file as it is. */
  write(folder: string, name: string, value: string): Promise<void>;
}
