//! Exports to Apache Parquet: one file for every CSV file, with its columns.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use carom_base::file::Aside;
use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::{ExportError, Format, Options, data};
use crate::{Column, ColumnValues, DataFile};

pub(super) static PARQUET: Format = Format {
    name: "parquet",
    summary: "tables for Arrow, pandas and Polars",
    file: "parquet/",
    frames: None,
    write,
};

fn write(folder: &Path, output: &Path, _options: &Options) -> Result<Vec<String>, ExportError> {
    fs::create_dir_all(output).map_err(ExportError::io(output))?;
    let (files, notices) = data::files(folder)?;
    for file in files {
        let path = output.join(format!("{}.parquet", file.name));
        let failed =
            |e: ParquetError| ExportError::Io { path: path.clone(), source: std::io::Error::other(e) };
        table(&file, &path).map_err(failed)?;
    }
    Ok(notices)
}

fn schema(columns: &[Column]) -> Result<Type, ParquetError> {
    let field = |c: &Column| {
        let (physical, converted) = match c.values {
            ColumnValues::Numbers(_) => (Physical::DOUBLE, ConvertedType::NONE),
            ColumnValues::Texts(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        };
        let field = Type::primitive_type_builder(&c.name, physical);
        field.with_repetition(Repetition::REQUIRED).with_converted_type(converted).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("schema").with_fields(fields).build()
}

fn table(file: &DataFile, path: &Path) -> Result<(), ParquetError> {
    let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED).build();
    let out = Aside::new(path)?;
    let mut writer = SerializedFileWriter::new(
        out.file().try_clone()?,
        Arc::new(schema(&file.columns)?),
        Arc::new(properties),
    )?;
    let mut rows = writer.next_row_group()?;
    for column in &file.columns {
        let Some(mut out) = rows.next_column()? else { break };
        match &column.values {
            ColumnValues::Numbers(x) => {
                out.typed::<DoubleType>().write_batch(x, None, None)?;
            }
            ColumnValues::Texts(texts) => {
                let bytes: Vec<ByteArray> = texts.iter().map(|t| t.as_ref().into()).collect();
                out.typed::<ByteArrayType>().write_batch(&bytes, None, None)?;
            }
        }
        out.close()?;
    }
    rows.close()?;
    writer.close()?;
    Ok(out.keep()?)
}
