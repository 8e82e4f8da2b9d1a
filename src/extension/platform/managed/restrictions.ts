/* Limits of an organisation to what its users may choose. Its own settings file alone has them; nobody can weaken them. */

export interface Restrictions {
  /** Modes that may be chosen beside `plan`, which only reads; absent: all. */
  readonly modes?: readonly ('default' | 'autoEdit' | 'plan' | 'yolo')[] | undefined;
  /** Says why nothing may be asked of a provider; `undefined`: it may. */
  refuseProvider(provider: string): string | undefined;
  /** Says why a model may not be asked; `undefined`: it may. @param id as the provider itself calls it */
  refuseModel(provider: string, id: string): string | undefined;
  /** The models of a list that may be asked. The same list gives the same one. */
  pickModels<Model extends { readonly id: string }>(
    provider: string,
    models: readonly Model[],
  ): readonly Model[];
  /** Says why a server may not run; `undefined`: it may. */
  refuseServer(server: StartedServer): string | undefined;
}

/** A server as it would be started or reached, with all variables written out. */
export interface StartedServer {
  readonly name: string;
  /** The program and its arguments. */
  readonly command?: readonly string[] | undefined;
  readonly url?: string | undefined;
}
