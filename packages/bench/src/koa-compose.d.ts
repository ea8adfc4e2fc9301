/** The part of `koa-compose` that the bench uses. `@types/koa-compose` brings sixteen packages. */
declare module "koa-compose" {
  type Middleware<C> = (context: C, next: () => Promise<unknown>) => unknown;
  export default function compose<C>(
    middleware: readonly Middleware<C>[],
  ): (context: C, next?: Middleware<C>) => Promise<unknown>;
}
