import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

const inPackage = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//
const isLicenseText = (name: string) => /^(licen[cs]e|copying|notice)/i.test(name)

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/**
 * Writes the licenses of all packages that a build read into a file for people, or a license's name where a package has
 * no text. `collect` belongs into every build whose output is served, `write` into the one that ends last. `further`
 * are folders of packages that no module names, such as those of styles.
 */
export function thirdPartyTexts(
  file: string,
  further: readonly string[],
): { collect: () => Plugin; write: () => Plugin } {
  const folders = new Set(further)
  return {
    collect: () => ({
      name: 'beaconry:third-party',
      apply: 'build',
      generateBundle() {
        for (const id of this.getModuleIds()) {
          const folder = inPackage.exec(id.split(path.sep).join('/').replace(/^\0/, ''))?.[1]
          if (folder !== undefined) folders.add(folder)
        }
      },
    }),
    write: () => ({
      name: 'beaconry:third-party-file',
      apply: 'build',
      enforce: 'post',
      closeBundle: {
        sequential: true,
        order: 'post',
        handler() {
          const texts = new Map([...folders].flatMap(textOf))
          const names = [...texts.keys()].toSorted()
          writeFileSync(file, names.map((name) => texts.get(name)).join(`\n${'-'.repeat(80)}\n\n`))
        },
      },
    }),
  }
}

function textOf(folder: string): [string, string][] {
  const manifestFile = path.join(folder, 'package.json')
  if (!existsSync(manifestFile)) return []
  const { name, version, license } = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const texts = readdirSync(folder)
    .filter(isLicenseText)
    .toSorted()
    .map((text) => readFileSync(path.join(folder, text), 'utf8').trim())
  return [
    [`${name} ${version}`, [`${name} ${version} (${license ?? 'no license named'})`, '', ...texts, ''].join('\n')],
  ]
}
