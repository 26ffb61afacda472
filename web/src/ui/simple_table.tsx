// A table that is only read: columns, rows, and a line when there are more rows than are shown.
import { type ComponentChildren } from "preact";

interface Row {
    key: string;
    cells: ComponentChildren[];
}

export function SimpleTable({ label, columns, rows, more }: { label: string; columns: string[]; rows: Row[]; more?: string }) {
    return (
        <>
            <table class="table" aria-label={label}>
                <thead>
                    <tr>
                        {columns.map((column) => (
                            <th scope="col" key={column}>
                                {column}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.map((row) => (
                        <tr key={row.key}>
                            {row.cells.map((cell, i) => (i === 0 ? <th scope="row">{cell}</th> : <td key={i}>{cell}</td>))}
                        </tr>
                    ))}
                </tbody>
            </table>
            {more && <p class="hint">{more}</p>}
        </>
    );
}
