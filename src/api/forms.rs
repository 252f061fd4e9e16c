//! Adds the file uploads to the OpenAPI document: lists of base64 files in a JSON body, and binary parts in a form with
//! the same fields. The parser removes these lists before the route's type is read, so no Rust type has them.

#![expect(
    clippy::indexing_slicing,
    reason = "a missing JSON value reads as null and is created when it is written"
)]

use serde_json::{Value, json};
use utoipa::{PartialSchema as _, ToSchema};

use crate::api::analysts::{AnalystFields, OrganisationMemory};
use crate::api::notes::{AddMemory, UpdateMemory};
use crate::api::run::Run;

/// A file in base64. `filename` and `name` are two names of the same, and so are `contentBase64` and `dataBase64`,
/// `contentType` and `mimeType`: give one of each.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", example = json!({
    "filename": "rent-roll.csv", "contentBase64": "dW5pdCxyZW50CjEsMjQwMAo=", "contentType": "text/csv"
}))]
#[expect(dead_code, reason = "describes what the parser reads")]
pub struct FileObject {
    filename: Option<String>,
    name: Option<String>,
    /// At most 52,428,800 bytes once decoded. Standard alphabet; white space is accepted, a `data:` prefix is not.
    content_base64: Option<String>,
    data_base64: Option<String>,
    /// Absent: `application/octet-stream`. What the file is, its content says.
    content_type: Option<String>,
    mime_type: Option<String>,
}

/// Where a body accepts files.
struct FileFields {
    /// The schema of the body.
    body: String,
    /// The schema that has the lists of base64 files.
    holder: String,
    /// The name of a form's binary parts.
    parts: &'static str,
}

fn all() -> [FileFields; 4] {
    let own = |body: std::borrow::Cow<'static, str>| FileFields {
        body: body.to_string(),
        holder: body.to_string(),
        parts: "files",
    };
    [
        own(Run::name()),
        own(AddMemory::name()),
        own(UpdateMemory::name()),
        FileFields {
            body: AnalystFields::name().to_string(),
            holder: OrganisationMemory::name().to_string(),
            parts: "organisationMemoryFiles",
        },
    ]
}

/// Adds the lists to the schemas. Called once, before the operations are completed.
pub(super) fn describe(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    schemas[&*FileObject::name()] = serde_json::to_value(FileObject::schema()).unwrap_or_default();
    // The contract requires a name and a content, each under one of its two names.
    schemas[&*FileObject::name()]["allOf"] = json!([
        { "anyOf": [{ "required": ["filename"] }, { "required": ["name"] }] },
        { "anyOf": [{ "required": ["contentBase64"] }, { "required": ["dataBase64"] }] },
    ]);
    let list = |description: &str| {
        json!({
            "type": ["array", "null"], "maxItems": 100, "description": description,
            "items": { "$ref": format!("#/components/schemas/{}", FileObject::name()) },
        })
    };
    for FileFields { holder, .. } in all() {
        let properties = &mut schemas[&holder]["properties"];
        properties["files"] = list("Files in base64. Without meaning where `filesBase64` is given.");
        properties["filesBase64"] =
            list("Files in base64, in place of those in `files`; also where it is empty.");
    }
}

/// Adds the form to the content types of a body that accepts files.
pub(super) fn complete(operation: &mut Value, components: &Value) {
    let content = &mut operation["requestBody"]["content"];
    let named = &content["application/json"]["schema"]["$ref"];
    let is_named = |one: &FileFields| *named == format!("#/components/schemas/{}", one.body);
    let Some(files) = all().into_iter().find(is_named) else {
        return;
    };
    // A copy of the schema, because `files` are binary parts here and objects there.
    let mut schema = components["schemas"][&files.body].clone();
    schema["description"] = Value::from(format!(
        "The fields of {} as parts: texts as they are, objects and lists as JSON. Members of an object may be parts \
         of their own with a dot, for instance `user.modelType`. Parts named `{}` are files.",
        files.body, files.parts
    ));
    schema["properties"][files.parts] = json!({
        "type": "array", "maxItems": 100,
        "items": { "type": "string", "contentMediaType": "application/octet-stream" },
    });
    content["multipart/form-data"] = json!({ "schema": schema });
}
