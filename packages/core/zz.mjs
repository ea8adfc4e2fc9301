export * from './dist/hooks.js'
