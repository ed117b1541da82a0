// What the figures are compared with: the plainest server that does the same work, as a process of its own.
// It tells its port on standard output.
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Pool } from 'pg'

const LIST = `
select '[' || coalesce(string_agg(l.body, ',' order by e.start_date, lower(e.name), e.id), '') || ']' as list
from events e
join sync_log l on l.scope = 'public' and l.collection = 'events' and l.doc_id = e.id::text and not l.deleted
where e.end_date >= (now() at time zone e.time_zone)::date`

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const kept = new Map<string, Buffer>()

/** GET /events queries; POST /keep?name= keeps a text, GET /kept?name= sends it compressed; POST /lines answers its own text. */
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname === '/events') {
    pool.query<{ list: string }>({ name: 'list', text: LIST }).then(
      ({ rows }) => {
        const body = Buffer.from(rows[0]?.list ?? '[]')
        response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
        response.end(body)
      },
      () => response.writeHead(500).end(),
    )
    return
  }
  if (url.pathname === '/kept') {
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Encoding': 'gzip',
      'Cache-Control': 'no-store',
    })
    response.end(kept.get(url.searchParams.get('name') ?? ''))
    return
  }
  if (request.method === 'POST') {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      if (url.pathname === '/keep') kept.set(url.searchParams.get('name') ?? '', gzipSync(body, { level: 4 }))
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
      response.end(url.pathname === '/keep' ? undefined : body)
    })
    return
  }
  response.writeHead(200, { 'Content-Type': 'text/html' })
  response.end('<!doctype html><title>Floor</title>')
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`)
})
